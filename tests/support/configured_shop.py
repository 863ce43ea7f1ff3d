"""A small shop and what its configuration says of it."""

from pathlib import Path

ROWS = """\
sku,name,power,price,year,code,colour,margin,photo,page
a1,Alpha,100,£1,2017,007,Red,5,a.jpg,https://shop.example/a1
b2,Beta,NA,missing,NA,NA,blue,4,,
c3,Gamma,120.5,"£1,300",2019,012,RED,3,c.jpg,https://shop.example/c3
d4,Delta,90,£80,2018,044,green,2,,
"""

CONFIG = """\
[catalogs.shop]
source = "shop.csv"
key = "sku"
title = "name"
price = "price"
image = "photo"
link = "page"
hidden = ["margin"]
rank = ["power", "price"]
fold_case = true

[catalogs.shop.columns.power]
label = "engine power"
unit = "hp"
nulls = ["NA"]
better = "high"
synonyms = ["strength", "oomph"]

[catalogs.shop.columns.price]
nulls = ["missing"]

[catalogs.shop.columns.colour]
synonyms = { green = ["emerald"] }

[[keys]]
name = "front"
hash = "sha256:0000000000000000000000000000000000000000000000000000000000000000"
scopes = ["search"]
expires = 2130-01-01
rate = "600/minute"
"""


def write_shop(folder: Path, config: str = CONFIG) -> Path:
    """Write the shop's rows and configuration; return the path of the latter."""
    (folder / "shop.csv").write_text(ROWS, encoding="utf-8")
    path = folder / "shop.toml"
    path.write_text(config, encoding="utf-8")
    return path
