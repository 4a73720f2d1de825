import { escapeHtml } from '../../kit/html.ts'
import type { Json, JsonObject } from '../../model/resource.ts'

/** Headers of the reference page: nothing but its own stylesheet may load, and no other site may frame it. */
export const referencePageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
}

export const referenceStyle = `
:root { color-scheme: light dark; --text: #1c2430; --muted: #566173; --ground: #fff; --raised: #f4f6f9; --line: #d8dee6; --link: #0b5cad }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6eaf0; --muted: #9aa6b8; --ground: #12161c; --raised: #1a2029; --line: #2c3542; --link: #7ab8ff }
}
html { scroll-padding-top: 1rem }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.6 system-ui, sans-serif }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem 4rem }
h1 { margin: 0 0 .5rem; font-size: 2rem; line-height: 1.2 }
h2 { margin: 3rem 0 .25rem; font-size: 1.35rem }
h3 { margin: 1rem 0 .25rem; font-size: 1rem }
p { margin: .5rem 0 }
ul.muted { margin: .5rem 0; padding-left: 1.25rem; overflow-wrap: anywhere }
.muted { color: var(--muted) }
a { color: var(--link) }
a:focus-visible, summary:focus-visible, pre:focus-visible, .scroll:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 1rem 0; padding: 0; list-style: none }
details { margin: .5rem 0; border: 1px solid var(--line); border-radius: .375rem; background: var(--ground) }
details:target { border-color: var(--link) }
summary { padding: .5rem .75rem; cursor: pointer; overflow-wrap: anywhere }
details[open] > summary { border-bottom: 1px solid var(--line); background: var(--raised) }
details > div { padding: .25rem .75rem 1rem }
code, pre { font: .875rem/1.5 ui-monospace, monospace }
.method { display: inline-block; min-width: 4.25rem; font-weight: 700 }
.scroll { overflow-x: auto }
table { width: 100%; border-collapse: collapse; font-size: .9375rem }
th, td { padding: .375rem .75rem .375rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top }
pre { margin: .5rem 0; padding: .75rem 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: .375rem; background: var(--raised) }
.skip { position: absolute; left: -100rem }
.skip:focus { left: 1rem; top: 1rem; padding: .5rem 1rem; background: var(--ground) }
@media (max-width: 40rem) {
  thead { position: absolute; left: -100rem }
  tr, th, td { display: block; overflow-wrap: anywhere }
  tr { padding: .375rem 0; border-bottom: 1px solid var(--line) }
  th, td { padding: .125rem 0; border: 0 }
}
@media print { details > div { display: block } }
`

/** The document as an HTML page without scripts; each operation and schema has an anchor. */
export function referencePage(document: JsonObject): string {
  const tags = document['tags'] as readonly { readonly name: string; readonly description: string }[]
  const operations = listOperations(document['paths'] as JsonObject)
  const schemas = Object.entries((document['components'] as JsonObject)['schemas'] as JsonObject)
  const sections = tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => (operation['tags'] as readonly Json[])[0] === name)
    return `<section aria-labelledby="tag-${name}"><h2 id="tag-${name}">${name}</h2>
${paragraphs(description)}
${own.map(operationHtml).join('\n')}</section>`
  })
  const links = [...tags.map(({ name }) => [`tag-${name}`, name]), ['schemas', 'Schemas']]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sluice API reference</title>
<link rel="stylesheet" href="/docs/api.css">
</head>
<body>
<a class="skip" href="#reference">Skip to the reference</a>
<main>
<h1>API reference</h1>
<p>Paths, bodies and errors are those of Cloudflare’s API. For programs: <a href="/client/v4/openapi.json">openapi.json</a>, OpenAPI 3.1. <a href="/">Start page</a></p>
<p>Every answer is an object of <code>result</code>, <code>success</code>, <code>errors</code> and <code>messages</code>. Credentials go into <code>Authorization: Bearer</code> (a token), or into <code>X-Auth-Email</code> and <code>X-Auth-Key</code>.</p>
<nav aria-label="Sections"><ul>${links.map(([to, name]) => `<li><a href="#${to}">${name}</a></li>`).join('')}</ul></nav>
<div id="reference">
${sections.join('\n')}
<section aria-labelledby="schemas"><h2 id="schemas">Schemas</h2>
${schemas.map(([name, schema]) => schemaHtml(name, schema)).join('\n')}</section>
</div>
</main>
</body>
</html>
`
}

/** Paragraphs and lists of CommonMark, which is all that descriptions have. */
function paragraphs(text: string): string {
  return text
    .split('\n\n')
    .map(part => {
      const lines = part.split('\n').map(line => escapeHtml(line.replace(/^- /, '')))
      return part.startsWith('- ')
        ? `<ul class="muted">${lines.map(line => `<li>${line}</li>`).join('')}</ul>`
        : `<p class="muted">${lines.join(' ')}</p>`
    })
    .join('\n')
}

interface ListedOperation {
  readonly method: string
  readonly path: string
  readonly operation: JsonObject
}

function listOperations(paths: JsonObject): ListedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as JsonObject).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation: operation as JsonObject,
    })),
  )
}

function operationHtml({ method, path, operation }: ListedOperation): string {
  const id = escapeHtml(String(operation['operationId']))
  const parameters = (operation['parameters'] ?? []) as readonly JsonObject[]
  const body = bodySchema(operation['requestBody'])
  const example = exampleOf(operation['requestBody'])
  return `<details id="${id}"><summary><code><span class="method">${method}</span> ${escapeHtml(path)}</code><br>${escapeHtml(String(operation['summary']))}</summary><div>
<p>${escapeHtml(String(operation['description']))} <a href="#${id}">Link to this</a></p>
${parameters.length === 0 ? '' : `<h3>Parameters</h3>${table(parameters.map(parameterRow))}`}
${body === undefined ? '' : `<h3>Body</h3>${shape(body)}`}
${example === undefined ? '' : `<pre tabindex="0" role="region" aria-label="Example">${escapeHtml(JSON.stringify(example, undefined, 2))}</pre>`}
<h3>Answer</h3>${answerHtml(operation['responses'] as JsonObject)}
</div></details>`
}

function parameterRow(parameter: JsonObject): Row {
  const schema = parameter['schema'] as JsonObject
  const meaning = parameter['description'] === undefined ? describe(schema) : String(parameter['description'])
  return [String(parameter['name']), typeText(schema), parameter['required'] === true, meaning]
}

function answerHtml(responses: JsonObject): string {
  if (responses['204'] !== undefined) return '<p>204, no content.</p>'
  const schema = bodySchema(responses['200'])
  const result = (schema?.['properties'] as JsonObject | undefined)?.['result'] as JsonObject | undefined
  return result === undefined ? '<p>200.</p>' : `<p>200, <code>result</code>: ${typeText(result)}.</p>`
}

function bodySchema(holder: Json | undefined): JsonObject | undefined {
  return jsonOf(holder)?.['schema'] as JsonObject | undefined
}

function exampleOf(holder: Json | undefined): Json | undefined {
  return jsonOf(holder)?.['example']
}

function jsonOf(holder: Json | undefined): JsonObject | undefined {
  const content = (holder as JsonObject | undefined)?.['content'] as JsonObject | undefined
  return content?.['application/json'] as JsonObject | undefined
}

function schemaHtml(name: string, schema: Json): string {
  const id = `schema-${escapeHtml(name)}`
  return `<details id="${id}"><summary><code>${escapeHtml(name)}</code></summary><div>${shape(schema as JsonObject)}</div></details>`
}

/** Objects as a table of their members; alternatives one after another. */
function shape(schema: JsonObject): string {
  const members = schema['properties'] as JsonObject | undefined
  if (members !== undefined && Object.keys(members).length > 0) {
    const required = (schema['required'] ?? []) as readonly Json[]
    const rows = Object.entries(members).map(
      ([name, one]): Row => [
        name,
        typeText(one as JsonObject),
        required.includes(name),
        describe(one as JsonObject),
      ],
    )
    return `${described(schema)}${table(rows)}`
  }
  const alternatives = (schema['anyOf'] ?? schema['oneOf']) as readonly JsonObject[] | undefined
  if (alternatives?.some(one => one['properties'] !== undefined)) {
    return alternatives
      .map(one => `<details><summary>${titleOf(one)}</summary><div>${shape(one)}</div></details>`)
      .join('')
  }
  return `${described(schema)}<p>${typeText(schema)}</p>`
}

/** Title of an alternative: its action, its description or its members. */
function titleOf(schema: JsonObject): string {
  const members = (schema['properties'] ?? {}) as JsonObject
  const action = (members['action'] as JsonObject | undefined)?.['const']
  if (typeof action === 'string') return `<code>action: ${escapeHtml(action)}</code>`
  return escapeHtml(describe(schema)) || typeText(schema) || Object.keys(members).map(escapeHtml).join(', ')
}

type Row = readonly [name: string, typeHtml: string, required: boolean, description: string]

function table(rows: readonly Row[]): string {
  const cells = rows.map(
    ([name, type, required, description]) =>
      `<tr><th scope="row"><code>${escapeHtml(name)}</code>${required ? ' <span class="muted">required</span>' : ''}</th><td>${type}</td><td>${escapeHtml(description)}</td></tr>`,
  )
  return `<div class="scroll" tabindex="0" role="region" aria-label="Members"><table><thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${cells.join('')}</tbody></table></div>`
}

const wordsShown = 12

/** HTML. */
function typeText(schema: JsonObject): string {
  const { $ref: reference, type, items } = schema
  if (typeof reference === 'string') {
    const name = escapeHtml(reference.slice(reference.lastIndexOf('/') + 1))
    return `<a href="#schema-${name}">${name}</a>`
  }
  if (schema['const'] !== undefined) return `<code>${escapeHtml(JSON.stringify(schema['const']))}</code>`
  const values = schema['enum'] as readonly Json[] | undefined
  if (values !== undefined)
    return values.map(value => `<code>${escapeHtml(String(value))}</code>`).join(' or ')
  const alternatives = (schema['anyOf'] ?? schema['oneOf']) as readonly JsonObject[] | undefined
  if (alternatives !== undefined) {
    const texts = [...new Set(alternatives.map(typeText))]
    return texts.length > wordsShown ? 'one of several' : texts.join(' or ')
  }
  if (type === 'array') return `array of ${items === undefined ? 'anything' : typeText(items as JsonObject)}`
  if (type === 'object') return memberNames(schema)
  return escapeHtml(String(type ?? 'anything'))
}

function memberNames(schema: JsonObject): string {
  const names = Object.keys((schema['properties'] ?? {}) as JsonObject)
  if (names.length === 0) return 'object'
  const shown = names.slice(0, wordsShown).map(name => `<code>${escapeHtml(name)}</code>`)
  return `object with ${shown.join(', ')}${names.length > wordsShown ? ', …' : ''}`
}

/** Limits and default beside the description. */
function describe(schema: JsonObject): string {
  const facts = [
    ['minimum', 'at least'],
    ['maximum', 'at most'],
    ['minLength', 'characters, at least'],
    ['maxLength', 'characters, at most'],
    ['maxItems', 'items, at most'],
    ['default', 'default'],
  ] as const
  const limits = facts
    .filter(([key]) => schema[key] !== undefined)
    .map(([key, words]) => `${words} ${String(schema[key])}`)
  const description = schema['description'] === undefined ? [] : [String(schema['description'])]
  return [...description, ...limits].join('; ')
}

function described(schema: JsonObject): string {
  return schema['description'] === undefined ? '' : `<p>${escapeHtml(String(schema['description']))}</p>`
}
