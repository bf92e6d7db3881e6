"""Layouts of content management systems."""

# ruff: noqa: E501 - lines of markup, as systems write them

from html import escape

from newsroom.labelled.material import (
    Drawn,
    Material,
    comments,
    figure,
    footer,
    h1,
    halves,
    headlines,
    links,
    nav,
    p,
)


def wordpress_classic(m: Material) -> Drawn:
    sidebar = f"<ul>{links(headlines(m))}</ul><p>{m.words.newsletter}</p>"
    body = f"""<div id="page"><header id="masthead" class="site-header">{nav(m)}</header>
<div id="primary" class="content-area"><main id="main" class="site-main">
<article id="post-{m.number}" class="post type-post hentry category-news">
<header class="entry-header"><h1 class="entry-title">{escape(m.story.title)}</h1>
<div class="entry-meta">2026 <a href="/author/x">{m.story.author}</a></div></header>
<div class="entry-content">{p(m.texts)}
<div class="sharedaddy sd-sharing-enabled"><h3>Share</h3><ul>{links(["Mastodon", "E-Mail"])}</ul></div>
<div id="jp-relatedposts" class="jp-relatedposts"><h3>{m.words.also}</h3>{p(m.second[:2])}</div>
</div><footer class="entry-footer"><a href="/tag/a">tag</a></footer></article>
<div id="comments" class="comments-area"><ol class="comment-list">
{comments(m, "<li class='comment'><div class='comment-content'><p>{}</p></div></li>")}</ol>
<div id="respond"><form><p>{m.words.newsletter}</p></form></div></div></main></div>
<div id="secondary" class="widget-area">{sidebar}</div>{footer(m)}</div>"""
    return Drawn(body, m.texts)


def wordpress_blocks(m: Material) -> Drawn:
    first, rest = halves(m.texts)
    quote = f"<figure class='wp-block-pullquote'><blockquote><p>{escape(first[0][:90])}</p></blockquote></figure>"
    latest = f"<ul class='wp-block-latest-posts'>{links(headlines(m))}</ul>"
    body = f"""<div class="wp-site-blocks"><header class="wp-block-template-part">{nav(m)}</header>
<main class="wp-block-group"><h1 class="wp-block-post-title">{escape(m.story.title)}</h1>
<div class="entry-content wp-block-post-content is-layout-flow">{p(first)}{figure(m)}{quote}
<h2 class="wp-block-heading">{m.words.question}</h2>{p(rest)}{latest}</div>
<div class="wp-block-comments">{comments(m)}</div></main>
<footer class="wp-block-template-part"><p>{m.words.copyright}</p></footer></div>"""
    return Drawn(body, [*first, m.words.question, *rest])


def drupal(m: Material) -> Drawn:
    teasers = "".join(
        f"<div class='views-row'><h3><a href='/n'>{escape(o.title)}</a></h3>"
        f"<div class='field-content'>{escape(o.paragraphs[0][:120])}</div></div>"
        for o in m.others[:3]
    )
    body = f"""<div class="dialog-off-canvas-main-canvas"><div class="layout-container">
<div class="region region-primary-menu"><ul class="menu">{links(m.menu)}</ul></div>
<div class="region region-breadcrumb"><ol>{links(m.menu[:2])}</ol></div>
<main role="main"><div class="layout-content"><div class="region region-content">
<div class="block block-system-main-block"><article class="node node--type-article node--view-mode-full">
<div class="node__content"><h1 class="page-title"><span>{escape(m.story.title)}</span></h1>
<div class="clearfix text-formatted field field--name-body field__item">{p(m.texts)}</div>
<div class="field field--name-field-tags">{links(m.menu[:3], "<a href='/t/{1}'>{0}</a>")}</div>
</div></article></div>
<div class="block block-views">{teasers}</div></div></div></main>{footer(m)}</div></div>"""
    return Drawn(body, m.texts)


def ghost(m: Material) -> Drawn:
    first, rest = halves(m.texts)
    cards = "".join(
        f"<article class='gh-card post'><a href='/p'><h3>{escape(o.title)}</h3>"
        f"<p class='gh-card-excerpt'>{escape(o.paragraphs[0])}</p></a></article>"
        for o in m.others[:3]
    )
    body = f"""<div class="gh-viewport"><header class="gh-head">{nav(m)}</header>
<main class="gh-main"><article class="gh-article post"><header class="gh-article-header">{h1(m)}
<p class="gh-article-excerpt">{escape(m.second[0])}</p></header>
<section class="gh-content gh-canvas">{p(first)}
<div class="kg-card kg-cta-card"><p>{m.words.newsletter}</p><a class="kg-btn" href="/s">OK</a></div>
{p(rest)}</section></article></main>
<section class="gh-container"><div class="gh-feed">{cards}</div></section>
<footer class="gh-footer">{m.words.copyright}</footer></div>"""
    return Drawn(body, [m.second[0], *m.texts])


def substack(m: Material) -> Drawn:
    widget = f"""<div class="subscription-widget-wrap"><div class="subscription-widget"><div class="preamble">
<p class="cta-caption">{m.words.newsletter}</p></div><form><input type="email"></form></div></div>"""
    first, rest = halves(m.texts)
    body = f"""<div id="main" class="main typography"><div class="main-menu">{links(m.menu[:4])}</div>
<div class="single-post-container"><div class="single-post"><article class="newsletter-post post">
<div class="post-header"><h1 class="post-title">{escape(m.story.title)}</h1></div>
<div class="available-content"><div dir="auto" class="body markup">{p(first)}{widget}{p(rest)}
<p class="button-wrapper"><a class="button primary" href="/share">Share</a></p></div></div>
<div class="post-footer"><a href="/likes">12</a></div></article></div>
<div class="single-post-section comments-section"><h4>3</h4>{comments(m)}</div>
<div class="footer"><p>{m.words.copyright}</p></div></div></div>"""
    return Drawn(body, m.texts)


def blogger(m: Material) -> Drawn:
    text = "<br /><br />\n".join(escape(each, quote=False) for each in m.texts)
    body = f"""<div class="content"><div class="tabs-outer"><ul>{links(m.menu)}</ul></div>
<div class="main-outer"><div class="post hentry"><h3 class="post-title entry-title">{escape(m.story.title)}</h3>
<div class="post-body entry-content" id="post-body-{m.number}">{text}<div style="clear: both;"></div></div>
<div class="post-footer"><span class="post-labels">{links(m.menu[:3], "<a href='/l'>{0}</a>")}</span></div></div>
<div class="comments" id="comments"><h4>3</h4>{comments(m, "<div class='comment-block'><p class='comment-content'>{}</p></div>")}</div>
<div class="sidebar"><div class="widget BlogArchive">{links(headlines(m))}</div></div></div></div>"""
    return Drawn(body, m.texts)


def joomla(m: Material) -> Drawn:
    body = f"""<div class="container-header"><ul class="mod-menu">{links(m.menu)}</ul></div>
<div class="com-content-article item-page" itemscope itemtype="https://schema.org/Article">
<div class="page-header"><h1 itemprop="headline">{escape(m.story.title)}</h1></div>
<dl class="article-info text-muted"><dt>Details</dt><dd class="createdby">{m.story.author}</dd>
<dd class="hits">4711</dd></dl>
<div itemprop="articleBody" class="com-content-article__body">{p(m.texts)}</div>
<ul class="pager pagenav">{links(["&laquo;", "&raquo;"])}</ul></div>
<div class="container-side"><h3>Latest</h3><ul class="latestnews">{links(headlines(m))}</ul></div>
{footer(m)}"""
    return Drawn(body, m.texts)


def typo3(m: Material) -> Drawn:
    frames = "\n".join(
        f"<div id='c{at}' class='frame frame-default frame-type-text'><div class='ce-bodytext'>"
        f"<p>{escape(text, quote=False)}</p></div></div>"
        for at, text in enumerate(m.texts)
    )
    body = f"""<div class="body-bg"><div class="navbar"><ul>{links(m.menu)}</ul></div>
<div class="main-section"><!--TYPO3SEARCH_begin--><div class="frame frame-type-header">{h1(m)}</div>
{frames}<!--TYPO3SEARCH_end--></div><div class="footer-section">{m.words.copyright}</div></div>"""
    return Drawn(body, m.texts)


def webforms(m: Material) -> Drawn:
    body = f"""<form method="post" action="./story.aspx" id="aspnetForm">
<input type="hidden" name="__VIEWSTATE" value="{"x" * 500}"><div id="ctl00_menu">{links(m.menu, "<a href='{1}'>{0}</a>")}</div>
<div id="ctl00_ContentPlaceHolder1_pnlStory"><span id="ctl00_lblTitle">{escape(m.story.title)}</span>
<div id="ctl00_lblBody">{p(m.texts)}</div></div>
<div id="ctl00_pnlNewsletter"><p>{m.words.newsletter}</p><input type="text"></div></form>"""
    return Drawn(body, m.texts)


def amp(m: Material) -> Drawn:
    body = f"""<amp-sidebar id="sidebar" layout="nodisplay"><ul>{links(m.menu)}</ul></amp-sidebar>
<amp-consent id="consent" layout="nodisplay"><div id="ui"><p>{m.words.consent}</p></div></amp-consent>
<article class="amp-wp-article"><header class="amp-wp-article-header">{h1(m)}</header>
<figure><amp-img src="/a.jpg" width="1" height="1"></amp-img><figcaption>{m.words.caption}</figcaption></figure>
<div class="amp-wp-article-content">{p(m.texts)}<amp-ad type="x"></amp-ad></div>
<amp-list src="/r"><div class="amp-related"><ul>{links(headlines(m))}</ul></div></amp-list></article>
{footer(m)}"""
    return Drawn(body, m.texts)


def forum(m: Material) -> Drawn:
    posts = [*m.texts, *m.words.comments]
    markup = "".join(
        f"<div class='post bg2' id='p{at}'><dl class='postprofile'><dt><a href='/u'>kim{at}</a></dt>"
        f"<dd>{at * 7} posts</dd></dl><div class='postbody'><p class='author'>#{at}</p>"
        f"<div class='content'>{escape(text)}</div><div class='signature'>-- {m.words.also}</div></div></div>"
        for at, text in enumerate(posts)
    )
    body = f"""<div id="wrap"><div id="page-header"><ul class="navlinks">{links(m.menu)}</ul></div>
<div id="page-body"><h2 class="topic-title"><a href="/t">{escape(m.story.title)}</a></h2>{markup}
<div class="action-bar">{links(["1", "2"])}</div></div><div id="page-footer">{m.words.copyright}</div></div>"""
    return Drawn(body, posts)


def hashed_classes(m: Material) -> Drawn:
    cards = "".join(
        f"<div class='css-8x2'><a href='/c{at}'><h3 class='css-1k'>{escape(o.title)}</h3>"
        f"<p class='css-q0'>{escape(o.paragraphs[0][:100])}</p></a></div>"
        for at, o in enumerate(m.others[:4])
    )
    first, rest = halves(m.texts)
    body = f"""<div id="app"><div class="css-1mf"><div class="css-9z">{links(m.menu, "<a href='{1}'>{0}</a>")}</div>
<div class="css-w1"><div class="css-h0">{h1(m)}</div><div class="css-53u"><div class="css-53u-a">{p(first)}</div>
<div class="css-ad"><div>Advertisement</div></div><div class="css-53u-a">{p(rest)}</div></div>
<div class="css-nl">{m.words.newsletter}</div><div class="css-rel">{cards}</div></div>
<div class="css-f9">{m.words.copyright}</div></div></div>"""
    return Drawn(body, m.texts)


def medium(m: Material) -> Drawn:
    quote = f"<blockquote class='nk'><p class='qx'>{escape(m.second[0])}</p></blockquote>"
    first, rest = halves(m.texts)
    body = f"""<div id="root"><div class="a b c"><div class="d">{links(m.menu[:3], "<a href='{1}'>{0}</a>")}</div>
<article class="meteredContent"><div class="l"><section><div><div class="ch bg"><div>{h1(m)}
<div class="pw"><a href="/u">{m.story.author}</a> · <span>4 min read</span> · <a href="/f">Follow</a></div>
{p(first, "<p class='pw-post-body-paragraph'>{}</p>")}{quote}
{p(rest, "<p class='pw-post-body-paragraph'>{}</p>")}</div></div></div></section></div></article>
<div class="tags">{links(m.menu[:4], "<a href='{1}'>{0}</a>")}</div><div class="author"><p>{m.words.biography}</p></div></div></div>"""
    return Drawn(body, [*first, m.second[0], *rest])


SYSTEMS = (
    wordpress_classic, wordpress_blocks, drupal, ghost, substack, blogger, joomla, typo3, webforms,
    amp, forum, hashed_classes, medium,
)  # fmt: skip
