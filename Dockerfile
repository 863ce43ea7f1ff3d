# docker build -t concede .      Needs this repository, and Python packages from wherever pip takes them.
FROM python:3.11-slim AS build
WORKDIR /src
COPY . .
RUN python -m venv /opt/concede
RUN /opt/concede/bin/pip wheel --no-cache-dir --no-deps --wheel-dir /src/dist .
RUN /opt/concede/bin/pip install --no-cache-dir --constraint constraints.txt \
    "$(ls /src/dist/concede-*.whl)[server,mcp]"

FROM python:3.11-slim
# What is compiled here runs on any machine of the same kind (docs/operations.md).
ENV PATH=/opt/concede/bin:$PATH \
    NUMBA_CACHE_DIR=/var/cache/concede \
    NUMBA_CPU_NAME=generic
RUN useradd --system --uid 10001 --create-home --home-dir /var/lib/concede concede \
    && mkdir -p /var/cache/concede && chown concede /var/cache/concede
COPY --from=build /opt/concede /opt/concede
USER concede
WORKDIR /var/lib/concede
RUN concede warm
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=3)"]
ENTRYPOINT ["concede"]
CMD ["serve", "--catalog", "sample:cars", "--host", "0.0.0.0", "--port", "8000"]
