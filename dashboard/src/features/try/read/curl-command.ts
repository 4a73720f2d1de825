import { emptyDraft, type HeaderRow, type RequestDraft } from '../request-draft.ts'
import { base64Of, textOf } from './bytes.ts'
import { type CurlOption, curlOption } from './curl-options.ts'
import { CannotRead, pastedMax, type Read, reading } from './read.ts'
import { shellWords } from './shell-words.ts'
import { withoutDotSegments } from './url-text.ts'

/** The version that a trace claims when the command sets no User-Agent. */
export const curlUserAgent = 'curl/8.17.0'

/**
 * The request that a curl command would send, with curl's default headers. Options for connections and output are
 * ignored. The browser cannot read files, so options that name one are refused.
 * @source curl’s manual, version 8
 */
export function readCurl(command: string): Read<RequestDraft> {
  return reading(notes => {
    if (command.length > pastedMax) throw new CannotRead('The command is longer than 2 MB.')
    if (/\^\s*(?:\r?\n|$)|\^"/.test(command))
      throw new CannotRead('This is a Windows cmd command. Use “Copy as cURL (bash)” instead.')
    const words = shellWords(command, notes)
    // Skips a copied shell prompt.
    const start = words[0] === '$' || words[0] === '%' || words[0] === '#' ? 1 : 0
    const name = words[start]?.split(/[/\\]/).at(-1)
    if (name === undefined) throw new CannotRead('Paste a curl command.')
    if (name !== 'curl' && name !== 'curl.exe')
      throw new CannotRead(`Not a curl command: it begins with “${shortened(name)}”.`)
    const arguments_ = new Arguments(notes)
    arguments_.read(words.slice(start + 1))
    return arguments_.draft()
  })
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

/** Reads the words after `curl`, as byte strings. */
class Arguments {
  readonly #notes: string[]
  readonly #urls: string[] = []
  readonly #headers: string[] = []
  readonly #data: string[] = []
  readonly #queries: string[] = []
  readonly #cookies: string[] = []
  readonly #seen = new Set<CurlOption>()
  #method: string | undefined
  #json = false
  #userAgent: string | undefined
  #referer: string | undefined
  #authorization: string | undefined
  #range: string | undefined

  constructor(notes: string[]) {
    this.#notes = notes
  }

  read(words: readonly string[]): void {
    const waiting = [...words].reverse()
    const take = (name: string): string => {
      const value = waiting.pop()
      if (value === undefined) throw new CannotRead(`${name} needs a value.`)
      return value
    }
    for (let word = waiting.pop(); word !== undefined; word = waiting.pop()) {
      if (!word.startsWith('-') || word === '-') this.#urls.push(word)
      else if (word.startsWith('--')) this.#long(word, take)
      else this.#short(word, take)
    }
  }

  #long(word: string, take: (name: string) => string): void {
    const name = word.slice(2)
    const known = curlOption(name)
    if (known === undefined) throw new CannotRead(`Unknown option ${shortened(word)}.`)
    this.#apply(known.option, word, known.takesValue ? take(word) : '')
  }

  /** Short options can be combined, and the last can have its value attached: `-sXPOST`. */
  #short(word: string, take: (name: string) => string): void {
    for (let at = 1; at < word.length; at++) {
      const name = word[at]!
      const known = curlOption(name)
      if (known === undefined) throw new CannotRead(`Unknown option -${name}.`)
      if (!known.takesValue) {
        this.#apply(known.option, `-${name}`, '')
        continue
      }
      const attached = word.slice(at + 1)
      this.#apply(known.option, `-${name}`, attached === '' ? take(`-${name}`) : attached)
      return
    }
  }

  #apply(option: CurlOption, name: string, value: string): void {
    this.#seen.add(option)
    const refusal = refusals[option]?.(name, value)
    if (refusal !== undefined) throw refusal
    switch (option) {
      case 'url':
        this.#urls.push(value)
        return
      case 'method':
        this.#method = value
        return
      case 'header':
        if (value.startsWith('@')) throw noFile(name, value)
        this.#headers.push(value)
        return
      case 'data':
      case 'data-binary':
      case 'data-raw':
      case 'json':
      case 'data-urlencode':
        this.#addData(option, name, value)
        return
      case 'url-query':
        this.#queries.push(value.startsWith('+') ? value.slice(1) : urlEncoded(value, name))
        return
      case 'user-agent':
        this.#userAgent = value
        return
      case 'referer':
        this.#referer = value.replace(/;auto$/, '')
        return
      case 'cookie':
        if (!value.includes('=')) throw noFile(name, value)
        this.#cookies.push(value)
        return
      case 'user':
        this.#authorization = `Basic ${base64Of(value.includes(':') ? value : `${value}:`)}`
        return
      case 'bearer':
        this.#authorization = `Bearer ${value}`
        return
      case 'range':
        this.#range = value
        return
      case 'newer-http':
        this.#notes.push('The edge uses HTTP/1.1; the request was read as HTTP/1.1.')
        return
      default:
        return
    }
  }

  #addData(option: CurlOption, name: string, value: string): void {
    if (option === 'data-urlencode') {
      this.#data.push(urlEncoded(value, name))
      return
    }
    if (option !== 'data-raw' && value.startsWith('@')) throw noFile(name, value)
    if (option === 'json') this.#json = true
    this.#data.push(value)
  }

  draft(): RequestDraft {
    const url = this.#url()
    const isGet = this.#seen.has('get')
    const hasBody = this.#data.length > 0 && !isGet
    const method = this.#method ?? (this.#seen.has('head') ? 'HEAD' : hasBody ? 'POST' : 'GET')
    const body = hasBody ? this.#data.join(this.#json ? '' : '&') : ''
    const text = textOf(body)
    return {
      ...emptyDraft,
      method: asText(method, 'the method'),
      url: asText(url, 'the URL'),
      headers: this.#allHeaders(hasBody).map(([name, value]) => [
        asText(name, 'a header'),
        asText(value, `the header ${name}`),
      ]),
      body: text ?? base64Of(body),
      isBase64: text === undefined,
      protocol: this.#seen.has('http10') ? 'HTTP/1.0' : 'HTTP/1.1',
    }
  }

  #url(): string {
    const [first, ...others] = this.#urls
    if (first === undefined) throw new CannotRead('The command has no URL.')
    if (others.length > 0) this.#notes.push('The command has several URLs; only the first is used.')
    const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(first) ? first : `http://${first}`
    if (!/^https?:/i.test(url)) throw new CannotRead('The URL must begin with http:// or https://.')
    const withUser = /^(https?:\/\/)([^/?#@]*)@/i.exec(url)
    if (withUser !== null) this.#authorization ??= `Basic ${base64Of(decoded(withUser[2] ?? ''))}`
    const bare = withUser === null ? url : `${withUser[1]}${url.slice(withUser[0].length)}`
    const queries = this.#seen.has('get') ? [...this.#queries, ...this.#data] : this.#queries
    return withQuery(this.#seen.has('path-as-is') ? bare : withoutDotSegments(bare), queries)
  }

  /** curl's default headers come first, unless the command replaces or removes them. */
  #allHeaders(hasBody: boolean): HeaderRow[] {
    const given = this.#headers.map(readHeader)
    const named = new Set(given.map(({ name }) => name.toLowerCase()))
    const own: (HeaderRow | undefined)[] = [
      optional('Authorization', this.#authorization),
      this.#userAgent === '' ? undefined : ['User-Agent', this.#userAgent ?? curlUserAgent],
      ['Accept', this.#json ? 'application/json' : '*/*'],
      optional('Accept-Encoding', this.#seen.has('compressed') ? 'deflate, gzip, br, zstd' : undefined),
      optional('Range', this.#range === undefined ? undefined : `bytes=${this.#range}`),
      optional('Referer', this.#referer === '' ? undefined : this.#referer),
      optional('Cookie', this.#cookies.length === 0 ? undefined : this.#cookies.join('; ')),
      optional('Content-Type', hasBody ? (this.#json ? 'application/json' : formType) : undefined),
    ]
    const kept = own.filter(row => row !== undefined && !named.has(row[0].toLowerCase())) as HeaderRow[]
    const added = given.flatMap(({ name, value }): HeaderRow[] =>
      value === undefined ? [] : [[name, value]],
    )
    return [...kept, ...added]
  }
}

const formType = 'application/x-www-form-urlencoded'

function optional(name: string, value: string | undefined): HeaderRow | undefined {
  return value === undefined ? undefined : [name, value]
}

/** `Name: value`; `Name:` removes a header; `Name;` sends an empty one. */
function readHeader(line: string): { readonly name: string; readonly value: string | undefined } {
  const [, name, value] = /^([^:;]+?)\s*:(.*)$/s.exec(line) ?? []
  if (name === undefined || value === undefined) {
    const [, empty] = /^([^:;]+);\s*$/.exec(line) ?? []
    if (empty !== undefined) return { name: empty, value: '' }
    throw new CannotRead(`“${shortened(line)}” is not a header: write it as 'Name: value'.`)
  }
  const trimmed = value.trim()
  return { name: name.trim(), value: trimmed === '' ? undefined : trimmed }
}

/** `content`, `=content` or `name=content`: the content is encoded. */
function urlEncoded(value: string, option: string): string {
  const sign = value.search(/[=@]/)
  if (sign >= 0 && value[sign] === '@') throw noFile(option, value.slice(sign))
  const name = sign > 0 ? `${value.slice(0, sign)}=` : ''
  return name + percentEncoded(sign >= 0 ? value.slice(sign + 1) : value)
}

/** All but the unreserved characters of RFC 3986. */
function percentEncoded(bytes: string): string {
  return bytes.replace(
    /[^A-Za-z0-9._~-]/g,
    byte => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}

function decoded(bytes: string): string {
  return bytes.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

function withQuery(url: string, queries: readonly string[]): string {
  if (queries.length === 0) return url
  const hash = url.indexOf('#')
  const base = hash < 0 ? url : url.slice(0, hash)
  const sign = !base.includes('?') ? '?' : /[?&]$/.test(base) ? '' : '&'
  return `${base}${sign}${queries.join('&')}`
}

/** Unsupported options, with the reason. */
const refusals: Partial<Record<CurlOption, (name: string, value: string) => CannotRead>> = {
  form: name =>
    new CannotRead(
      `${name} creates a multipart body, which is not supported here. Paste the request as raw HTTP, with its body.`,
    ),
  upload: noFile,
  config: name => new CannotRead(`${name} reads options from a file, which the browser cannot read.`),
  next: () => new CannotRead('The command has several requests (--next). Paste one of them.'),
  'other-auth': name =>
    new CannotRead(
      `${name} computes a header during the connection. Paste the request as raw HTTP, including the header.`,
    ),
}

function noFile(option: string, value: string): CannotRead {
  const file = shortened(value.replace(/^@/, ''))
  return new CannotRead(
    `${option} names a file (${file}), which the browser cannot read. Put its content into the command or the form.`,
  )
}

function asText(bytes: string, what: string): string {
  const text = textOf(bytes)
  if (text === undefined) throw new CannotRead(`Invalid UTF-8 in ${what}.`)
  return text
}
