import { createHash } from 'node:crypto'
import { escapeHtml } from '../../kit/html.ts'

const style = `:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;font:1rem/1.5 system-ui,sans-serif;background:#f6f6f4;color:#1c1c1a}
main{max-width:34rem;padding:2rem;overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 1rem}
button{font:inherit;padding:.6rem 1.2rem;border:0;border-radius:.4rem;background:#1a56b0;color:#fff;cursor:pointer}
button:focus-visible{outline:3px solid #1a56b0;outline-offset:3px}
footer{margin-top:2rem;font-size:.875rem;color:#5c5c57}
@media (prefers-color-scheme:dark){body{background:#161615;color:#ecece8}footer{color:#a8a8a0}button{background:#8ab4f8;color:#10131a}button:focus-visible{outline-color:#8ab4f8}}`

/** For the content security policy of pages from `pageDocument`. */
export const styleHash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`

/** A complete page without external resources. @param body HTML */
export function pageDocument(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`
}
