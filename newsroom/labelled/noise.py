"""Layouts by the text around the story, and by hints that mislead."""

# ruff: noqa: E501 - lines of markup, as systems write them

from html import escape

from newsroom.labelled.material import (
    Drawn,
    Material,
    footer,
    h1,
    halves,
    headlines,
    links,
    nav,
    p,
)


def consent_banner(m: Material) -> Drawn:
    body = f"""<div id="onetrust-consent-sdk"><div class="ot-sdk-row"><p>{m.words.consent}</p>
<p>{m.words.consent}</p><button>OK</button></div></div><div class="cookie-notice" role="dialog">
<p>{m.words.consent}</p></div>{nav(m)}<main><article>{h1(m)}{p(m.texts)}</article></main>{footer(m)}"""
    return Drawn(body, m.texts)


def many_links(m: Material) -> Drawn:
    columns = "".join(
        f"<div class='col'><strong>{word}</strong><ul>{links(m.menu * 2)}</ul></div>"
        for word in m.menu[:6]
    )
    body = f"""<div class="mega">{columns}</div><div class="wrap"><div class="left"><ul>{links(headlines(m) * 2)}</ul>
</div><div class="middle">{h1(m)}{p(m.texts)}</div><div class="right">{columns}</div></div>
<div class="bottom">{columns}<p>{m.words.copyright}</p></div>"""
    return Drawn(body, m.texts)


def related_blocks(m: Material) -> Drawn:
    also = f"<p><strong>{m.words.also}</strong> <a href='/1'>{escape(m.others[0].title)}</a></p>"
    box = f"<div class='related'><h4>{m.words.also}</h4><ul>{links(headlines(m)[:3])}</ul></div>"
    first, rest = halves([*m.texts, *m.second])
    body = f"""{nav(m)}<article>{h1(m)}<div class="content">{p(first)}{also}{box}{p(rest)}{box}</div></article>
{footer(m)}"""
    return Drawn(body, [*first, *rest])


def long_comments(m: Material) -> Drawn:
    talk = m.words.comments * 6 + tuple(text for o in m.others for text in o.paragraphs[:1])
    said = p(talk, "<div class='comment'><p>{}</p></div>")
    body = f"""{nav(m)}<article>{h1(m)}<div class="post-text">{p(m.texts)}</div></article>
<section id="comments" class="comments"><h2>21</h2>{said}</section>{footer(m)}"""
    return Drawn(body, m.texts)


def paywall(m: Material) -> Drawn:
    body = f"""{nav(m)}<article>{h1(m)}<div class="article-body">{p([*m.texts[:2]])}</div>
<div class="paywall"><h2>{m.words.newsletter}</h2><p>{m.words.offer}</p><p>{m.words.offer}</p>
<p>{m.words.consent}</p></div></article>{footer(m)}"""
    return Drawn(body, m.texts[:2])


def short_story_long_teasers(m: Material) -> Drawn:
    cards = "".join(
        f"<div class='teaser-card'><h3><a href='/t'>{escape(o.title)}</a></h3>"
        f"<p>{escape(o.paragraphs[0])}</p><p>{escape(o.paragraphs[1])}</p></div>"
        for o in m.others
    )
    body = f"""{nav(m)}<article class="brief">{h1(m)}{p(m.texts[:2])}</article>
<section class="more-stories"><h2>{m.words.also}</h2>{cards}</section>{footer(m)}"""
    return Drawn(body, m.texts[:2])


def next_story_below(m: Material) -> Drawn:
    other = m.others[0]
    body = f"""{nav(m)}<div class="infinite"><article class="story">{h1(m)}{p(m.texts)}</article>
<article class="story next"><h2>{escape(other.title)}</h2>{p(other.paragraphs[:3])}</article></div>{footer(m)}"""
    return Drawn(body, m.texts)


def teaser_says_article_body(m: Material) -> Drawn:
    body = f"""{nav(m)}<div itemprop="articleBody" class="lead">{p([m.second[0][:60]])}</div>
<div class="article-content-ad"><p>{m.words.newsletter}</p></div>{h1(m)}
<div class="column-2">{p(m.texts)}</div>{footer(m)}"""
    return Drawn(body, m.texts)


def story_in_a_sidebar_class(m: Material) -> Drawn:
    body = f"""{nav(m)}<div class="layout with-sidebar comments-open"><div class="sidebar-left-content related-enabled">
{h1(m)}{p(m.texts)}</div></div>{footer(m)}"""
    return Drawn(body, m.texts)


def main_around_a_menu(m: Material) -> Drawn:
    body = f"""<main id="main-content" role="main"><ul>{links(m.menu * 2)}</ul><p>{m.words.newsletter}</p></main>
<div class="x1">{h1(m)}{p(m.texts)}</div>{footer(m)}"""
    return Drawn(body, m.texts)


def story_in_an_aside(m: Material) -> Drawn:
    body = f"""<header>{nav(m)}</header><aside class="layer"><div>{h1(m)}{p(m.texts)}{p(m.second)}</div></aside>
{footer(m)}"""
    return Drawn(body, [*m.texts, *m.second])


def hidden_copy(m: Material) -> Drawn:
    body = f"""{nav(m)}<div class="desktop"><article>{h1(m)}{p(m.texts)}</article></div>
<div class="mobile" style="display: none" aria-hidden="true">{h1(m)}{p(m.texts)}</div>{footer(m)}"""
    return Drawn(body, m.texts)


def author_below(m: Material) -> Drawn:
    body = f"""{nav(m)}<article>{h1(m)}<div class="byline">{m.story.author}</div><div class="text">{p(m.texts)}</div>
<div class="author-bio"><p>{m.words.biography}</p></div><div class="tags">{links(m.menu[:4], "<a href='{1}'>{0}</a>")}</div>
<div class="share-tools"><p>{m.words.newsletter}</p></div></article>{footer(m)}"""
    return Drawn(body, m.texts)


def video_page(m: Material) -> Drawn:
    listed = "".join(
        f"<li><a href='/v'><span>{escape(o.title)}</span></a><span>2:1{at}</span></li>"
        for at, o in enumerate(m.others)
    )
    body = f"""{nav(m)}<div class="player"><video src="/v.mp4"></video></div><div class="video-info">{h1(m)}
<div class="description">{p(m.texts[:3])}</div></div><div class="playlist"><ul>{listed}</ul></div>{footer(m)}"""
    return Drawn(body, m.texts[:3])


NOISE = (
    consent_banner, many_links, related_blocks, long_comments, paywall, short_story_long_teasers,
    next_story_below, teaser_says_article_body, story_in_a_sidebar_class, main_around_a_menu,
    story_in_an_aside, hidden_copy, author_below, video_page,
)  # fmt: skip
