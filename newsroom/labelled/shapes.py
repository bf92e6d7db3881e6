"""Layouts by the shape of their text: split, live, listed, tabular, without paragraphs."""

# ruff: noqa: E501 - lines of markup, as systems write them

from html import escape

from newsroom.labelled.material import (
    Drawn,
    Material,
    figure,
    footer,
    h1,
    halves,
    headlines,
    links,
    nav,
    p,
)


def split_story(m: Material) -> Drawn:
    first, rest = halves(m.texts)
    parts = "\n".join(
        f"<div class='article__body-part'>{p(part)}</div><div class='ad-slot'>Advertisement</div>"
        for part in (first, rest, m.second)
    )
    body = f"""{nav(m)}<div class="page"><div class="article__head">{h1(m)}</div>{parts}
<div class="newsletter-box"><p>{m.words.newsletter}</p></div>
<div class="more"><ul>{links(headlines(m))}</ul></div></div>{footer(m)}"""
    return Drawn(body, [*first, *rest, *m.second])


def split_sections(m: Material) -> Drawn:
    body = f"""{nav(m)}<main><header>{h1(m)}<p class="standfirst">{escape(m.texts[0])}</p></header>
<section class="chapter">{p(m.texts[1:])}</section>
<section class="chapter"><h2>{m.words.question}</h2>{p(m.second)}</section>
<section class="promo"><h2>{m.words.also}</h2><ul>{links(headlines(m))}</ul></section></main>{footer(m)}"""
    return Drawn(body, [*m.texts, m.words.question, *m.second])


def live_blog(m: Material) -> Drawn:
    posts = "\n".join(
        f"<article class='live-post' id='post-{at}'><time datetime='2026-01-01T1{at % 10}:05'>1{at % 10}:05"
        f"</time><p>{escape(text)}</p><div class='share'><a href='#s'>Share</a></div></article>"
        for at, text in enumerate([*m.texts[1:], *m.second])
    )
    body = f"""{nav(m)}<main><article class="liveblog"><header>{h1(m)}</header>
<div class="liveblog-summary"><p>{escape(m.texts[0])}</p></div><div class="live-posts">{posts}</div>
</article></main>{footer(m)}"""
    return Drawn(body, [*m.texts, *m.second])


def long_list(m: Material) -> Drawn:
    items = p(m.second, "<li><h3>{}</h3></li>").replace("<h3>", "<p>").replace("</h3>", "</p>")
    body = f"""{nav(m)}<article>{h1(m)}<div class="body">{p(m.texts[:1])}<ol class="picks">{items}</ol>
{p(m.texts[1:2])}</div></article>{footer(m)}"""
    return Drawn(body, [m.texts[0], *m.second, m.texts[1]])


def only_a_list(m: Material) -> Drawn:
    body = f"""<div id="menu"><ul>{links(m.menu)}</ul></div><div id="content">{h1(m)}
<ul class="items">{p(m.texts, "<li>{}</li>")}</ul></div><div id="foot">{m.words.copyright}</div>"""
    return Drawn(body, m.texts)


def results_table(m: Material) -> Drawn:
    rows = [(word, str(40 - at), str(at * 3)) for at, word in enumerate(m.menu[:6])]
    table = "".join("<tr>" + p(row, "<td>{}</td>") + "</tr>" for row in rows)
    first, rest = halves(m.texts)
    body = f"""{nav(m)}<article>{h1(m)}{p(first)}<table class="results">{table}</table>{p(rest)}</article>
{footer(m)}"""
    return Drawn(body, [*first, *(" | ".join(row) for row in rows), *rest])


def table_of_texts(m: Material) -> Drawn:
    rows = "".join(
        f"<tr><td>{at}</td><td>{escape(text)}</td></tr>" for at, text in enumerate(m.texts)
    )
    body = (
        f"""{nav(m)}<article>{h1(m)}<table class="chronicle">{rows}</table></article>{footer(m)}"""
    )
    return Drawn(body, [f"{at} | {text}" for at, text in enumerate(m.texts)])


def quotes(m: Material) -> Drawn:
    pull = f"<aside class='pullquote'><p>{escape(m.texts[0][:100])}</p></aside>"
    body = f"""{nav(m)}<article>{h1(m)}<div class="text">{p(m.texts[:2])}{pull}
<blockquote>{p(m.second[:2])}</blockquote>{p(m.texts[2:])}</div></article>{footer(m)}"""
    return Drawn(body, [*m.texts[:2], *m.second[:2], *m.texts[2:]])


def gallery(m: Material) -> Drawn:
    shots = "\n".join(
        f"<figure class='slide'><img src='/{at}.jpg' alt=''><figcaption>{escape(text)}</figcaption></figure>"
        for at, text in enumerate(m.texts[1:])
    )
    body = f"""{nav(m)}<main class="gallery-page">{h1(m)}<p class="intro">{escape(m.texts[0])}</p>
<div class="gallery">{shots}</div></main>{footer(m)}"""
    return Drawn(body, m.texts)


def illustrated(m: Material) -> Drawn:
    first, rest = halves([*m.texts, *m.second])
    body = f"""{nav(m)}<article>{h1(m)}{figure(m)}<div class="story">{p(first)}{figure(m)}{p(rest)}</div>
<div class="gallery-strip">{figure(m)}{figure(m)}</div></article>{footer(m)}"""
    return Drawn(body, [*first, *rest])


def interview(m: Material) -> Drawn:
    asked = m.words.question
    body = f"""{nav(m)}<article>{h1(m)}<div class="interview">{p(m.texts[:1])}
{"".join(f"<p><strong>{asked} {at}</strong></p><p>{escape(text)}</p>" for at, text in enumerate(m.texts[1:]))}
</div></article>{footer(m)}"""
    spoken = [line for at, text in enumerate(m.texts[1:]) for line in (f"{asked} {at}", text)]
    return Drawn(body, [m.texts[0], *spoken])


def definitions(m: Material) -> Drawn:
    pairs = list(zip(headlines(m), m.texts, strict=False))
    listed = "".join(f"<dt>{escape(t)}</dt><dd>{escape(d)}</dd>" for t, d in pairs)
    body = (
        f"""{nav(m)}<main>{h1(m)}<p>{escape(m.second[0])}</p><dl>{listed}</dl></main>{footer(m)}"""
    )
    return Drawn(body, [m.second[0], *(line for pair in pairs for line in pair)])


def old_tables(m: Material) -> Drawn:
    text = "<br><br>".join(escape(each, quote=False) for each in m.texts)
    body = f"""<table width=760 border=0><tr><td colspan=3>{links(m.menu, "<a href='{1}'>{0}</a> |")}</td></tr>
<tr><td width=120 valign=top><font size=1>{links(headlines(m), "<a href='{1}'>{0}</a><br>")}</font></td>
<td valign=top><font face=arial size=4><b>{escape(m.story.title)}</b></font><br><br>
<font face=arial size=2>{text}</font></td><td width=120><font size=1>{m.words.newsletter}</font></td></tr>
<tr><td colspan=3 align=center><font size=1>{m.words.copyright}</font></td></tr></table>"""
    return Drawn(body, m.texts)


def unclosed(m: Material) -> Drawn:
    text = "\n<P>".join(escape(each, quote=False) for each in m.texts)
    body = f"""<CENTER><H1>{escape(m.story.title)}</H1><HR></CENTER>
<UL>{links(m.menu, "<LI><A HREF='/{1}'>{0}</A>")}</UL><HR><DIV><P>{text}<HR></DIV>
<ADDRESS>{m.words.copyright}</ADDRESS>"""
    return Drawn(body, m.texts)


def preformatted(m: Material) -> Drawn:
    lines: list[str] = []
    for text in m.texts:
        words = text.split(" ")
        lines += [" ".join(words[at : at + 11]) for at in range(0, len(words), 11)]
        lines.append("")
    body = f"""{nav(m)}<div class="release">{h1(m)}<pre>{escape(chr(10).join(lines))}</pre></div>{footer(m)}"""
    return Drawn(body, lines)


def bare_text(m: Material) -> Drawn:
    text = "<br>\n<br>\n".join(escape(each, quote=False) for each in m.texts)
    links_ = links(m.menu, "<a href='/{1}'>{0}</a> |")
    return Drawn(f"{links_}<hr>{h1(m)}{text}<hr>{m.words.copyright}", m.texts)


def a_div_each(m: Material) -> Drawn:
    body = f"""<div class="top">{links(m.menu, "<div><a href='{1}'>{0}</a></div>")}</div>
<div class="story">{h1(m)}{p(m.texts, "<div>{}</div>")}</div><div class="end">{m.words.copyright}</div>"""
    return Drawn(body, m.texts)


def spans_in_divs(m: Material) -> Drawn:
    deep = "<div><div><div><div>{}</div></div></div></div>"
    texts = p(m.texts, "<div><div dir='auto'><span><span>{}</span></span></div></div>")
    menu = links(m.menu, "<div><div><a href='{1}'><span>{0}</span></a></div></div>")
    body = deep.format(menu) + deep.format(h1(m) + deep.format(texts))
    return Drawn(body + deep.format(m.words.copyright), m.texts)


def print_view(m: Material) -> Drawn:
    body = f"""<h1>{escape(m.story.title)}</h1><p>{m.story.author}, 2026</p>{p(m.texts)}{p(m.second)}
<hr><p>{escape(m.url)}</p><p>{m.words.copyright}</p>"""
    return Drawn(body, [*m.texts, *m.second])


SHAPES = (
    split_story, split_sections, live_blog, long_list, only_a_list, results_table, table_of_texts,
    quotes, gallery, illustrated, interview, definitions, old_tables, unclosed, preformatted,
    bare_text, a_div_each, spans_in_divs, print_view,
)  # fmt: skip
