"""Tracking parameters: they say where a reader comes from, and select no page."""

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PREFIXES = ("utm_", "ga_")

_CLICKS = _words(
    """
    _ga _gl dclid gad_campaignid gad_source gbraid gclid gclsrc srsltid wbraid
    fb_action_ids fb_action_types fb_ref fb_source fbclid fsrc_fb_noscript igsh igshid
    action_object_map action_ref_map action_type_map
    epik li_fat_id msclkid rb_clickid rdt_cid scclid ttclid twclid wickedid
    _openstat yclid ysclid
    _hsenc _hsmi hsctatracking mc_cid mc_eid mkt_tok oly_anon_id oly_enc_id vero_id
    ef_id s_kwcid
    at_bbc_team at_campaign at_campaign_type at_custom1 at_custom2 at_custom3 at_custom4
    at_format at_link_id at_link_origin at_link_type at_medium at_ptr_name xtor
    mtm_campaign mtm_cid mtm_content mtm_group mtm_keyword mtm_medium mtm_placement mtm_source
    piwik_campaign pk_campaign pk_content pk_keyword pk_kwd pk_medium pk_source
    ns_campaign ns_linkname ns_mchannel ns_source
    wt.mc_id wt.z_sma wt_mc wt_zmc
    feedname feedtype ito
    jsessionid phpsessid phpsessionid
    """
)
"""Names that are used for campaigns, clicks and sessions only."""

_ORIGINS = _words("ref source cmp cmpid custom_click eref icid ncid ocid oref s_cid smid wprss")
"""Names that select a page on sites where the path does not."""

_SCRIPT = re.compile(r"\.(?:action|ashx|aspx?|cfm|cgi|dll|do|exe|fcgi|jspx?|php\d?|phtml|pl|py)$")
_DOCUMENT = re.compile(r"\.(?:[sx]?html?|amp|pdf|stm|ece|story|asciidoc|md|txt|xml|json|docx?)$")
_ESCAPE = re.compile(r"%[0-9A-F]{2}")
_NUMBER = re.compile(r"\d{4,}")
_DAY = re.compile(r"(?:19|20)\d\d(?:[-_]?[01]\d(?:[-_]?[0-3]\d)?)?")
_WORDS = re.compile(r"[-_]+")

_GENERAL = _words(
    """
    about all and archive archives article articles amp blog blogs breaking by category content
    current daily default detail details display doc document domestic en entry feed feeds for
    front frontpage full get headline headlines home homepage id in index international item items
    latest link list live local main media more national new newest news newsitem of on online open
    page pages permalink photo photos popular post posts press print read reader recent redirect
    release releases result results rss search section sections show single sport sports stories
    story text the to today top topic topics trending uk us view viewer video videos web world
    """
)
"""Words that name a kind of page or a list of pages, but not one page."""

_IDS = _words(
    "aid article article_id articleid doc docid entry id item itemid newsid nid node p page_id"
    " post post_id postid q sid story story_id storyid"
)
"""Names of parameters that select a page, whatever their value."""


def without_tracking(query: str, path: str) -> str:
    """A query without its tracking parameters, in any case of letters; the order stays.

    Parameters that may select a page (`ref`, `source`) are removed only if the path selects it.
    """
    if not query:
        return ""
    kept = [part for part in query.split("&") if part and not _tracks(part, path)]
    return "&".join(kept)


def _tracks(part: str, path: str) -> bool:
    # `&amp;` in a link that was escaped twice.
    name = part.partition("=")[0].lower().removeprefix("amp;")
    if name in _CLICKS or name.startswith(_PREFIXES):
        return True
    return name in _ORIGINS and names_page(path)


def names_page(path: str) -> bool:
    """Whether a path alone selects an article: by a number, a slug, or the name of a document.

    The last segment counts; its escapes are in upper case. A number has four digits or more and is
    no day. A slug has a hyphen and a word that is not general (`latest-news` is). The path of a
    script without a number selects no article: its query does.
    """
    segment = path.rstrip("/").rpartition("/")[2].lower()
    stem = _ESCAPE.sub("x", segment.upper()).lower() if "%" in segment else segment
    numbers = _NUMBER.findall(stem)
    # /2024/05/14 is a list of stories, and so is /20240514.
    if numbers and not (len(numbers) == 1 and _DAY.fullmatch(stem)):
        return True
    if _SCRIPT.search(stem):
        return False
    # latest-news.html is named as a document, but only its words can tell it from a list.
    name = _DOCUMENT.sub("", stem)
    words = [word for word in _WORDS.split(name) if word]
    is_named = "-" in name or name != stem
    return is_named and any(word not in _GENERAL and not word.isdigit() for word in words)


def query_names_page(query: str) -> bool:
    """Whether a query selects a page, as `?p=12` does and `?lang=en` does not."""
    for part in query.split("&"):
        name, _, value = part.partition("=")
        if value and (name.lower() in _IDS or names_page(value)):
            return True
    return False
