"""What people try in order to have a page run their script, as values, names and addresses."""

MARK = "concede_was_here"
"""Set on `window` by every payload that runs."""

PAYLOADS = (
    f"<script>window.{MARK}=1</script>",
    f"</script><script>window.{MARK}=1</script>",
    f"<img src=x onerror=window.{MARK}=1>",
    f"<svg/onload=window.{MARK}=1>",
    f'"><img src=x onerror=window.{MARK}=1>',
    f"' onmouseover='window.{MARK}=1' autofocus onfocus='window.{MARK}=1",
    f'" autofocus onfocus="window.{MARK}=1" x="',
    f"javascript:window.{MARK}=1",
    f"</title><script>window.{MARK}=1</script>",
    f"</textarea></select></option><script>window.{MARK}=1</script>",
    f"<!--><script>window.{MARK}=1</script>-->",
    f'<a href="javascript:window.{MARK}=1">x</a>',
    f"<iframe srcdoc='<script>parent.{MARK}=1</script>'></iframe>",
    f"<math><mtext></p><style><img src=x onerror=window.{MARK}=1>",
    f"<base href='//evil.example/'><script>window.{MARK}=1</script>",
    "<meta http-equiv=refresh content='0;url=javascript:1'>",
    "<form action=//evil.example><button>x",
    "<style>*{display:none}</style>",
    f"&lt;script&gt;window.{MARK}=1&lt;/script&gt;",
    f"\\u003cscript\\u003ewindow.{MARK}=1\\u003c/script\\u003e",
    f"+ADw-script+AD4-window.{MARK}=1+ADw-/script+AD4-",
    f"{{{{constructor.constructor('window.{MARK}=1')()}}}}",
    f"${{window.{MARK}=1}}",
    "\u202egnirts desrever\u202c",
    "a\x00b\x1b[31mc\x08",
    "]]>--></bdi></li></ol></main></div></body>",
    "//evil.example/%2f..",
    "?catalog=x&must=y#z",
)
