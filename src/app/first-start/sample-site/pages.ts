import { escapeHtml } from '../../../kit/html.ts'

const style = `:root{color-scheme:light dark}
body{margin:0 auto;max-width:44rem;padding:1.5rem;font:1rem/1.5 system-ui,sans-serif;background:#fbfaf7;color:#1f1e1b;overflow-wrap:anywhere}
nav ul{display:flex;flex-wrap:wrap;gap:1rem;padding:0;list-style:none}
a{color:#14508c}
a[aria-current]{color:inherit;font-weight:600;text-decoration:none}
form{display:grid;gap:.5rem;max-width:28rem}
input,textarea,button{font:inherit;padding:.5rem;border:1px solid #767670;border-radius:.3rem;background:inherit;color:inherit}
button{background:#14508c;border-color:#14508c;color:#fff;justify-self:start;margin-top:.5rem;padding:.5rem 1rem;cursor:pointer}
:focus-visible{outline:3px solid #14508c;outline-offset:2px}
code{font-size:.9em;padding:.1em .3em;border-radius:.2rem;background:#eeece4}
@media (prefers-color-scheme:dark){body{background:#191917;color:#ecebe6}code{background:#2c2c28}a{color:#8fc1f5}button{background:#8fc1f5;border-color:#8fc1f5;color:#10202f}:focus-visible{outline-color:#8fc1f5}}`

const shop = 'Sample shop'

const siteLinks = [
  ['/', 'Home'],
  ['/search', 'Search'],
  ['/comments', 'Comments'],
  ['/login', 'Log in'],
] as const

/**
 * @param main HTML
 * @param path its entry in the navigation
 */
function page(title: string, main: string, path?: string): string {
  const links = siteLinks.map(([target, name]) => {
    const here = target === path ? ' aria-current="page"' : ''
    return `<li><a href="${target}"${here}>${name}</a></li>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === shop ? shop : `${escapeHtml(title)} – ${shop}`}</title>
<style>${style}</style>
</head>
<body>
<header><nav aria-label="Main"><ul>${links.join('')}</ul></nav></header>
<main>
<h1>${escapeHtml(title)}</h1>
${main}
</main>
</body>
</html>
`
}

export const homePage = page(
  shop,
  `<p>This small site exists to be protected. It keeps nothing that you type.</p>
<p>Try the forms with ordinary words, then with something that an attacker would send, and see what the firewall makes of it:</p>
<ul>
<li>a search for <code>1' OR '1'='1</code></li>
<li>a comment with <code>&lt;script&gt;alert(1)&lt;/script&gt;</code></li>
<li><code>POST /api/items</code> with a JSON body</li>
</ul>`,
  '/',
)

const products = ['Blue kettle', 'Copper pan', 'Garden chair', 'Paper lamp', 'Red kettle', 'Wooden spoon']

export function searchPage(query: string): string {
  const found = products.filter(product => product.toLowerCase().includes(query.toLowerCase()))
  const list = found.map(product => `<li>${product}</li>`).join('')
  const outcome = list === '' ? '<p>Nothing was found.</p>' : `<ul>${list}</ul>`
  return page(
    'Search',
    `<form action="/search" method="get" role="search">
<label for="q">Product</label>
<input id="q" name="q" type="search" value="${escapeHtml(query)}">
<button>Search</button>
</form>
<section aria-label="Results">${outcome}</section>`,
    '/search',
  )
}

/** @param sent the comment just sent, which is shown once and not kept */
export function commentsPage(sent?: { readonly name: string; readonly comment: string }): string {
  const thanks =
    sent === undefined
      ? ''
      : `<p role="status">Thank you, ${escapeHtml(sent.name)}. You wrote:</p><blockquote>${escapeHtml(sent.comment)}</blockquote>`
  return page(
    'Comments',
    `${thanks}<form action="/comments" method="post">
<label for="name">Name</label>
<input id="name" name="name" autocomplete="name" required>
<label for="comment">Comment</label>
<textarea id="comment" name="comment" rows="4" required></textarea>
<button>Send</button>
</form>`,
    '/comments',
  )
}

export function loginPage(refused: boolean): string {
  const notice = refused ? '<p role="alert">The name or the password is wrong.</p>' : ''
  return page(
    'Log in',
    `${notice}<form action="/login" method="post">
<label for="user">Name</label>
<input id="user" name="user" autocomplete="username" required>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button>Log in</button>
</form>`,
    '/login',
  )
}

export const notFoundPage = page(
  'Page not found',
  '<p>There is no such page here. <a href="/">Go to the start.</a></p>',
)
