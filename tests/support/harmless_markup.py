"""A page that obeys nothing a catalog or an address holds."""

from parsed_html import Element, Markup


def check_harmless(page: Markup) -> None:
    """Only elements, attributes and addresses of the page's own making."""
    for element in page.elements:
        assert element.name in KNOWN, element
        assert not [name for name in element.attributes if name.startswith("on") or name == "style"]
        check_addresses(element)
    for script in page.all("script"):
        assert script.text == ""


KNOWN = frozenset(
    "html head meta title link script body a header h1 h2 h3 p nav ul ol li div form details "
    "summary span bdi label input select option datalist fieldset legend button main section "
    "article dl dt dd table thead tbody tfoot tr th td meter b del textarea".split()
)


def check_addresses(one: Element) -> None:
    for name in ("href", "src", "action", "formaction", "srcdoc", "data"):
        target = one.attributes.get(name)
        assert target is None or target.startswith(("?", "./?", "page/", "chat", "#")), one
    assert one.attributes.get("http-equiv") is None
