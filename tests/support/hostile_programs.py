# ruff: noqa: E501 - a hostile line reads best as it is
"""Programs that try to read, write, call out, reach the host or outlive their limits.

`{secret}` is a file with a token, `{made}` a file that must not come to be, `{port}` a loopback
port that must not be called. The environment holds the token too.
"""

from __future__ import annotations

TOKEN = "token-of-the-host-93417"
VARIABLE = "CONCEDE_HOST_TOKEN"

READS = {
    "open": "def eligible(hh):\n    return open('{secret}').read()",
    "open in a helper": "def f(p):\n    return open(p).read()\ndef eligible(hh):\n    return f('{secret}')",
    "import os": "import os\ndef eligible(hh):\n    return os.environ['" + VARIABLE + "']",
    "import inside": "def eligible(hh):\n    import os\n    return dict(os.environ)",
    "from os": "from os import environ\ndef eligible(hh):\n    return str(environ)",
    "pathlib": "import pathlib\ndef eligible(hh):\n    return pathlib.Path('{secret}').read_text()",
    "dunder import": "def eligible(hh):\n    return __import__('os').environ",
    "importlib": "import importlib\ndef eligible(hh):\n    return importlib.import_module('os').environ",
    "builtins by name": "def eligible(hh):\n    return __builtins__['open']('{secret}').read()",
    "builtins attribute": "def eligible(hh):\n    return __builtins__.open('{secret}').read()",
    "globals": "def eligible(hh):\n    return globals()['__builtins__']",
    "os.open": "import os\ndef eligible(hh):\n    return os.read(os.open('{secret}', 0), 99)",
    "fileinput": "import fileinput\ndef eligible(hh):\n    return list(fileinput.input('{secret}'))",
    "linecache": "import linecache\ndef eligible(hh):\n    return linecache.getlines('{secret}')",
    "proc environ": "def eligible(hh):\n    return open('/proc/self/environ').read()",
    "proc of the parent": (
        "import os\ndef eligible(hh):\n    return open(f'/proc/{{os.getppid()}}/environ').read()"
    ),
    "input": "def eligible(hh):\n    return input()",
}

REACHES = {
    "subclasses": (
        "def eligible(hh):\n    return [c for c in ().__class__.__base__.__subclasses__()"
        " if c.__name__ == '_wrap_close'][0].__init__.__globals__['environ']"
    ),
    "subclasses by getattr": (
        "def eligible(hh):\n    return getattr(getattr((), '__class__'), '__base__').__subclasses__()"
    ),
    "mro": "def eligible(hh):\n    return [].__class__.__mro__[1].__subclasses__()",
    "function globals": "def f(): pass\ndef eligible(hh):\n    return f.__globals__",
    "function code": "def f(): pass\ndef eligible(hh):\n    return f.__code__.co_consts",
    "format attribute": "def eligible(hh):\n    return '{{0.__class__.__mro__}}'.format(hh)",
    "f-string": "def eligible(hh):\n    return f'{{hh.__class__}}'",
    "frame of an exception": (
        "def eligible(hh):\n    try:\n        1 / 0\n    except Exception as e:\n"
        "        return e.__traceback__.tb_frame.f_back.f_globals"
    ),
    "generator frame": "def eligible(hh):\n    g = (x for x in [1])\n    return g.gi_frame.f_back.f_back",
    "coroutine": "async def f(): pass\ndef eligible(hh):\n    return f().cr_frame.f_globals",
    "lambda": "def eligible(hh):\n    return (lambda: 0).__globals__",
    "class": "class A: pass\ndef eligible(hh):\n    return A.__init_subclass__.__self__",
    "decorator": "@print\ndef f(x): pass\ndef eligible(hh):\n    return True",
    "default argument": "def f(x=__import__('os').environ):\n    return x\ndef eligible(hh):\n    return f()",
    "annotation": "def eligible(hh: __import__('os').system('touch {made}')) -> bool:\n    return True",
    "eval": "def eligible(hh):\n    return eval(\"__import__('os').environ\")",
    "exec": "def eligible(hh):\n    exec(\"open('{made}', 'w')\")\n    return True",
    "compile": "def eligible(hh):\n    return compile('1', 'x', 'eval').co_filename",
    "type": "def eligible(hh):\n    return type('X', (object,), {{}}).__subclasses__()",
    "sys modules": "import sys\ndef eligible(hh):\n    return sys.modules['os'].environ",
    "garbage": "import gc\ndef eligible(hh):\n    return gc.get_objects()",
    "walrus": "def eligible(hh):\n    return (o := open)('{secret}').read()",
    "match": (
        "def eligible(hh):\n    match hh:\n        case object(__class__=c):\n"
        "            return c.__mro__\n    return False"
    ),
    "household get": "def eligible(hh):\n    return hh.get('age')",
    "household class": "def eligible(hh):\n    return hh.__class__.__init__.__globals__",
    "computed key": "def eligible(hh):\n    return hh['__cl' + 'ass__']",
    "computed member key": "def f(m, k):\n    return m[k]\ndef eligible(hh):\n    return f(hh[0], '#household')",
    "negative member": "def eligible(hh):\n    return hh[-1]['age'] > 3",
}

CHANGES = {
    "write": "def eligible(hh):\n    open('{made}', 'w').write('x')\n    return True",
    "os.system": "import os\ndef eligible(hh):\n    return os.system('touch {made}')",
    "subprocess": "import subprocess\ndef eligible(hh):\n    return subprocess.run(['touch', '{made}'])",
    "mkdir": "import os\ndef eligible(hh):\n    os.mkdir('{made}')\n    return True",
    "socket": (
        "import socket\ndef eligible(hh):\n"
        "    return socket.create_connection(('127.0.0.1', {port}), 2).recv(9)"
    ),
    "urllib": (
        "import urllib.request\ndef eligible(hh):\n"
        "    return urllib.request.urlopen('http://127.0.0.1:{port}/').read()"
    ),
    "ctypes": "import ctypes\ndef eligible(hh):\n    return ctypes.CDLL(None).getpid()",
    "fork": "import os\ndef eligible(hh):\n    os.fork()\n    return True",
    "kill the parent": "import os\ndef eligible(hh):\n    os.kill(os.getppid(), 9)\n    return True",
    "thread": "import threading\ndef eligible(hh):\n    threading.Thread(target=print).start()\n    return 1",
    "exit": "def eligible(hh):\n    exit(0)",
    "signal": "import signal\ndef eligible(hh):\n    signal.alarm(0)\n    return True",
}

BOMBS = {
    "endless loop": "def eligible(hh):\n    while True:\n        pass",
    "endless for": "def eligible(hh):\n    for i in range(10 ** 12):\n        pass\n    return True",
    "nested ranges": (
        "def eligible(hh):\n    n = 0\n    for a in range(400):\n        for b in range(400):\n"
        "            for c in range(400):\n                n += 1\n    return n > 3"
    ),
    "nested comprehension": (
        "def eligible(hh):\n"
        "    return sum(1 for a in range(400) for b in range(400) for c in range(400)) > 0"
    ),
    "power": "def eligible(hh):\n    return 9 ** 9 ** 9 > 0",
    "growing number": (
        "def eligible(hh):\n    n = 7\n    for i in range(300):\n        n = n * n\n    return n > 0"
    ),
    "text times": "def eligible(hh):\n    return 'x' * 10 ** 10 > ''",
    "list times": "def eligible(hh):\n    return len([0] * 10 ** 10) > 0",
    "recursion": "def f(n):\n    return f(n + 1)\ndef eligible(hh):\n    return f(0)",
    "mutual recursion": (
        "def f(n):\n    return g(n)\ndef g(n):\n    return f(n)\ndef eligible(hh):\n    return f(0)"
    ),
    "doubling calls": "\n".join(
        ["def f0():\n    return 1"]
        + [f"def f{n}():\n    return f{n - 1}() + f{n - 1}()" for n in range(1, 40)]
        + ["def eligible(hh):\n    return f39() > 0"]
    ),
    "doubling lists": (
        "def eligible(hh):\n    x = [1]\n    for i in range(60):\n        x = [x, x]\n"
        "    y = [1]\n    for i in range(60):\n        y = [y, y]\n    return x == y"
    ),
    "shift": "def eligible(hh):\n    return 1 << 10 ** 9 > 0",
    "growing text": (
        "def eligible(hh):\n    s = 'abcdefgh'\n    for i in range(60):\n        s = s + s\n    return s"
    ),
    "sort in a loop": (
        "def eligible(hh):\n    for i in range(400):\n        for j in range(400):\n"
        "            x = sorted([k for k in range(400)])\n    return True"
    ),
    "deep brackets": "def eligible(hh):\n    return " + "(" * 150 + "1" + ")" * 150,
    "deep nots": "def eligible(hh):\n    return " + "not " * 5000 + "True",
    "deep lists": "X = " + "[" * 90 + "]" * 90 + "\ndef eligible(hh):\n    return True",
    "long source": "def eligible(hh):\n    return True\n" + "#" * 200_000,
    "many nodes": "def eligible(hh):\n    return " + " or ".join(["1 > 2"] * 20_000),
    "huge constant": "def eligible(hh):\n    return " + "9" * 4000 + " > 0",
    "null byte": "def eligible(hh):\n    return True\x00",
    "no function": "x = 1",
}

ALL = {**READS, **REACHES, **CHANGES, **BOMBS}
