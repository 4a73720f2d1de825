import { createHash } from 'node:crypto'

const style = `
:root { color-scheme: light dark; --text: #1c2430; --muted: #566173; --ground: #fff; --line: #d8dee6; --link: #0b5cad }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6eaf0; --muted: #9aa6b8; --ground: #12161c; --line: #2c3542; --link: #7ab8ff }
}
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.6 system-ui, sans-serif }
main { max-width: 42rem; margin: 0 auto; padding: 3rem 1.25rem }
h1 { margin: 0 0 .5rem; font-size: 2rem; line-height: 1.2 }
h2 { margin: 2.5rem 0 .5rem; font-size: 1.15rem }
p { margin: .5rem 0 }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .5rem 1.5rem; margin: 0 }
dt, dd { margin: 0 }
dd { color: var(--muted) }
a { color: var(--link) }
a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
code, pre { font: .9rem/1.5 ui-monospace, monospace }
pre { overflow-x: auto; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .375rem }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; gap: 0 } dd { margin-bottom: .75rem } }
`

/** Headers of the page: nothing but its own style may load, and no other site may frame it. */
export const startPageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
}

/** The page at the API's address if the dashboard is not built. */
export const startPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sluice</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Sluice</h1>
<p>An edge firewall and log pipeline that you run yourself and drive with Cloudflare’s API.</p>
<p>The dashboard is not here: it is built at the start when the development packages are installed (<code>npm ci</code>).</p>
<h2>On this address</h2>
<dl>
<dt><a href="/client/v4/user/tokens/verify"><code>/client/v4</code></a></dt>
<dd>The API: accounts, zones, rulesets and Logpush. The link needs a token in a header.</dd>
<dt><a href="/docs/api"><code>/docs/api</code></a></dt>
<dd>The API reference. For programs: <a href="/client/v4/openapi.json"><code>openapi.json</code></a>.</dd>
<dt><a href="/healthz"><code>/healthz</code></a></dt>
<dd>Whether the process is alive.</dd>
<dt><a href="/readyz"><code>/readyz</code></a></dt>
<dd>Whether it is ready for work.</dd>
<dt><a href="/metrics"><code>/metrics</code></a></dt>
<dd>Metrics in Prometheus format. The link needs a token in a header.</dd>
</dl>
<h2>A first call</h2>
<p>The administrator’s token lies in the data directory as <code>admin-token</code>.</p>
<pre tabindex="0" aria-label="Example command"><code>curl -H "Authorization: Bearer $(cat data/admin-token)" http://127.0.0.1:8787/client/v4/zones</code></pre>
<h2>Clients</h2>
<p>Cloudflare’s SDKs and Terraform provider work with the base URL set to <code>/client/v4</code> on this address.</p>
</main>
</body>
</html>
`
