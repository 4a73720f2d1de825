import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RedirectTable } from './redirect-table.ts'

interface Item {
  readonly source_url: string
  readonly target_url?: string
  readonly [parameter: string]: string | number | boolean
}

function tableOf(items: readonly Item[]): RedirectTable {
  const table = new RedirectTable()
  for (const item of items)
    table.add({ redirect: { target_url: `https://to.test/${item.source_url}`, ...item } })
  return table
}

const subpaths = { subpath_matching: true }
const subdomains = { include_subdomains: true }

/** Each item's target is its number. */
const rows: readonly {
  readonly name: string
  readonly items: readonly Item[]
  /** URL, and the number of the redirect. */
  readonly urls: readonly (readonly [url: string, want: number | undefined])[]
}[] = [
  {
    name: 'scheme, host and path',
    items: [
      { source_url: 'a.test/one' },
      { source_url: 'https://A.test/two' },
      { source_url: 'http://a.test/two' },
      { source_url: 'a.test/two' },
      { source_url: 'a.test' },
    ],
    urls: [
      ['http://a.test/one', 0],
      ['https://a.test:8443/one?q=1', 0],
      ['https://a.test/two', 1],
      ['http://a.test/two', 2],
      ['http://A.TEST./', 4],
      ['http://a.test?x', 4],
      ['http://a.test/One', undefined],
      ['http://a.test/one/', undefined],
      ['http://b.a.test/one', undefined],
      ['http://test/one', undefined],
      ['a.test/one', undefined],
      ['http:///one', undefined],
      [`http://${'a.'.repeat(127)}a.test/one`, undefined],
    ],
  },
  {
    name: 'a redirect with a scheme wins over one without, in any order',
    items: [{ source_url: 'a.test/x' }, { source_url: 'https://a.test/x' }],
    urls: [
      ['http://a.test/x', 0],
      ['https://a.test/x', 1],
    ],
  },
  {
    name: 'the first of several spellings of a source holds, and the next one where it does not match',
    items: [
      { source_url: 'https://a.test/x' },
      { source_url: 'https://A.test/x' },
      { source_url: 'https://a.test/%78', ...subpaths },
      { source_url: 'a.test' },
      { source_url: 'a.test/' },
    ],
    urls: [
      ['https://a.test/x', 0],
      ['https://a.test/x/y', 2],
      ['http://a.test/x', undefined],
      ['http://a.test/', 3],
    ],
  },
  {
    name: 'subpaths: the most specific path wins',
    items: [
      { source_url: 'a.test/folder', ...subpaths },
      { source_url: 'a.test/folder/sub', ...subpaths },
      { source_url: 'a.test/folder/sub/exact' },
      { source_url: 'a.test/slash/', ...subpaths },
    ],
    urls: [
      ['http://a.test/folder', 0],
      ['http://a.test/folder/item', 0],
      ['http://a.test/folders', undefined],
      ['http://a.test/folder/sub/item/deep?x=/y', 1],
      ['http://a.test/folder/sub/exact', 2],
      ['http://a.test/folder/sub/exact/below', 1],
      ['http://a.test/slash', undefined],
      ['http://a.test/slash/', 3],
      ['http://a.test/slash/x', 3],
      [`http://a.test/folder${'/x'.repeat(5000)}`, 0],
    ],
  },
  {
    name: 'a whole host',
    items: [{ source_url: 'a.test/', ...subpaths }],
    urls: [
      ['http://a.test/', 0],
      ['http://a.test/x/y', 0],
    ],
  },
  {
    name: 'subdomains: the host itself wins, then the most specific domain',
    items: [
      { source_url: 'bar.test/', ...subdomains },
      { source_url: 'foo.bar.test/', ...subdomains },
      { source_url: 'x.foo.bar.test/' },
    ],
    urls: [
      ['http://bar.test/', 0],
      ['http://other.bar.test/', 0],
      ['http://qux.foo.bar.test/', 1],
      ['http://x.foo.bar.test/', 2],
      ['http://y.x.foo.bar.test/', 1],
      ['http://foobar.test/', undefined],
    ],
  },
  {
    name: 'the path counts before the host',
    items: [
      { source_url: 'a.bar.test/', ...subpaths },
      { source_url: 'bar.test/folder', ...subpaths, ...subdomains },
    ],
    urls: [
      ['http://a.bar.test/folder/x', 1],
      ['http://a.bar.test/x', 0],
    ],
  },
  {
    name: 'percent-encoding and names in other scripts',
    items: [{ source_url: 'bücher.test/über uns'.replace(' ', '%20') }, { source_url: 'a.test/caf%c3%a9' }],
    urls: [
      ['http://xn--bcher-kva.test/%C3%BCber%20uns', 0],
      ['http://xn--bcher-kva.test/\xc3\xbcber%20uns', 0],
      ['http://a.test/caf%C3%A9', 1],
    ],
  },
  {
    name: 'escapes that a URL does not need, in the list and in the request',
    items: [
      { source_url: 'a.test/%7Ealice' },
      { source_url: 'a.test/b-c' },
      { source_url: 'a.test/d%2Fe' },
      { source_url: 'a.test/%f' },
    ],
    urls: [
      ['http://a.test/%7Ealice', 0],
      ['http://a.test/%7ealice', 0],
      ['http://a.test/~alice', 0],
      ['http://a.test/%62%2Dc', 1],
      ['http://a.test/d%2fe', 2],
      ['http://a.test/d/e', undefined],
      ['http://a.test/%f', 3],
    ],
  },
]
for (const { name, items, urls } of rows) {
  test(name, () => {
    const table = tableOf(
      items.map((item, at) => ({
        ...item,
        target_url: `https://to.test/${at}`,
        preserve_path_suffix: false,
      })),
    )
    for (const [url, want] of urls)
      assert.equal(table.find(url)?.target, want === undefined ? undefined : `https://to.test/${want}`, url)
  })
}

const targets: readonly (readonly [source: string, target: string, url: string, want: string])[] = [
  ['a.test/a/', 'https://b.test/b/', 'http://a.test/a/foo', 'https://b.test/b/foo'],
  ['a.test/a', 'https://b.test/b/', 'http://a.test/a/foo?q', 'https://b.test/b/foo'],
  ['a.test/a/', 'https://b.test/b', 'http://a.test/a/foo', 'https://b.test/b/foo'],
  ['a.test/a', 'https://b.test', 'http://a.test/a/foo', 'https://b.test/foo'],
  ['a.test/', 'https://b.test', 'http://a.test/.evil.test/x', 'https://b.test/.evil.test/x'],
  ['a.test/a', 'https://b.test/b?x=1#y', 'http://a.test/a/foo', 'https://b.test/b/foo?x=1#y'],
  ['a.test/a', 'https://b.test/b', 'http://a.test/a', 'https://b.test/b'],
  ['a.test/a', 'https://b.test/b', 'http://a.test/a/', 'https://b.test/b/'],
  ['a.test/a', 'magnet:?xt=urn:btih:2bd9', 'http://a.test/a/foo', 'magnet:?xt=urn:btih:2bd9'],
  ['a.test/a', 'https://b.test/é', 'http://a.test/a', 'https://b.test/\xc3\xa9'],
]
test('the rest of the path is appended to the target, unless preserve_path_suffix is false', () => {
  for (const [source_url, target_url, url, want] of targets) {
    assert.equal(tableOf([{ source_url, target_url, ...subpaths }]).find(url)?.target, want, url)
    const off = tableOf([{ source_url, target_url, ...subpaths, preserve_path_suffix: false }])
    assert.equal(off.find(url)?.target.includes('foo'), false)
  }
})

test('status and query of a redirect, and their defaults', () => {
  const table = tableOf([
    { source_url: 'a.test/default' },
    { source_url: 'a.test/set', status_code: 307, preserve_query_string: true },
  ])
  const found = (path: string) => table.find(`http://a.test${path}`)!
  assert.deepEqual([found('/default').status, found('/default').preserveQuery], [301, false])
  assert.deepEqual([found('/set').status, found('/set').preserveQuery], [307, true])
})

test('many spellings of one source take linear time', () => {
  const letters = 'abcdefghijklmnop'
  const spelled = (number: number) =>
    letters.replace(/./g, (letter, at: number) => ((number >> at) & 1 ? letter.toUpperCase() : letter))
  const table = tableOf(Array.from({ length: 40_000 }, (_, at) => ({ source_url: `${spelled(at)}.test` })))
  assert.equal(table.find(`http://${letters}.test/`)?.target, `https://to.test/${letters}.test`)
})
