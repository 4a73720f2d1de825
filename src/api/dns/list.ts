import { type Static, Type } from '@fastify/type-provider-typebox'
import { type DnsRecord, dnsRecordTypes } from '../../model/dns-record.ts'
import { pageQuery } from '../http/list-query.ts'
import { dnsLimits } from './limits.ts'

const some = Type.Optional
const word = some(Type.String({ maxLength: dnsLimits.contentCharactersMax }))

const textFilters = ['exact', 'contains', 'startswith', 'endswith'] as const
type TextFilter = (typeof textFilters)[number]
const filtersOf = <F extends string, S extends string>(field: F, filters: readonly S[]) =>
  Object.fromEntries(filters.map(filter => [`${field}.${filter}`, word])) as {
    [K in `${F}.${S}`]: typeof word
  }

export const dnsRecordListQuery = Type.Object({
  ...pageQuery,
  per_page: some(Type.Integer({ minimum: 1, maximum: 5_000_000 })),
  type: some(Type.Enum([...dnsRecordTypes])),
  proxied: some(Type.Boolean()),
  search: word,
  order: some(Type.Enum(['type', 'name', 'content', 'ttl', 'proxied'])),
  match: some(Type.Enum(['any', 'all'])),
  tag_match: some(Type.Enum(['any', 'all'])),
  name: word,
  content: word,
  comment: word,
  tag: word,
  ...filtersOf('name', textFilters),
  ...filtersOf('content', textFilters),
  ...filtersOf('comment', [...textFilters, 'present', 'absent']),
  ...filtersOf('tag', [...textFilters, 'present', 'absent']),
})

type Query = Static<typeof dnsRecordListQuery>
type Test = (record: DnsRecord) => boolean

/** The records that the query asks for, in its order; `records` have the order of their types. */
export function selectRecords(records: readonly DnsRecord[], query: Query): readonly DnsRecord[] {
  const tests = recordTests(query)
  const selected = records.filter(record =>
    query.match === 'any' && tests.length > 0
      ? tests.some(test => test(record))
      : tests.every(test => test(record)),
  )
  const { order = 'type', direction } = query
  const sign = direction === 'desc' ? -1 : 1
  return selected.sort((a, b) => sign * compared(a[order], b[order]))
}

function compared<T extends string | number | boolean>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function recordTests(query: Query): Test[] {
  const { type, proxied, search } = query
  const tests: Test[] = []
  if (type !== undefined) tests.push(record => record.type === type)
  if (proxied !== undefined) tests.push(record => record.proxied === proxied)
  if (search !== undefined) tests.push(record => searched(record).some(contains(search)))
  for (const field of ['name', 'content', 'comment'] as const)
    for (const test of textTests(query, field)) tests.push(record => test(record[field] ?? ''))
  if (query['comment.present'] !== undefined) tests.push(record => (record.comment ?? '') !== '')
  if (query['comment.absent'] !== undefined) tests.push(record => (record.comment ?? '') === '')
  const ofTags = tagTests(query)
  if (ofTags.length > 0)
    tests.push(({ tags }) =>
      query.tag_match === 'any' ? ofTags.some(test => test(tags)) : ofTags.every(test => test(tags)),
    )
  return tests
}

function searched({ name, type, content, comment, tags }: DnsRecord): readonly string[] {
  return [name, type, content, comment ?? '', ...tags]
}

function contains(part: string): (text: string) => boolean {
  const wanted = part.toLowerCase()
  return text => text.toLowerCase().includes(wanted)
}

const comparisons: { readonly [F in TextFilter]: (text: string, wanted: string) => boolean } = {
  exact: (text, wanted) => text === wanted,
  contains: (text, wanted) => text.includes(wanted),
  startswith: (text, wanted) => text.startsWith(wanted),
  endswith: (text, wanted) => text.endsWith(wanted),
}

/** A field by itself asks for the exact value, as older clients do. Letter case does not matter. */
function textTests(query: Query, field: 'name' | 'content' | 'comment'): ((text: string) => boolean)[] {
  return textFilters.flatMap(filter => {
    const wanted = query[`${field}.${filter}`] ?? (filter === 'exact' ? query[field] : undefined)
    if (wanted === undefined) return []
    const lower = wanted.toLowerCase()
    return [(text: string) => comparisons[filter](text.toLowerCase(), lower)]
  })
}

/** A tag is `name` or `name:value`; the filters compare the value of the tag with this name. */
function tagTests(query: Query): ((tags: readonly string[]) => boolean)[] {
  const tests: ((tags: readonly string[]) => boolean)[] = []
  for (const filter of textFilters) {
    const wanted = query[`tag.${filter}`] ?? (filter === 'exact' ? query.tag : undefined)
    if (wanted === undefined) continue
    const [name, value] = tagParts(wanted)
    tests.push(tags =>
      tags.some(tag => {
        const [has, holds] = tagParts(tag)
        return has === name && comparisons[filter](holds, value)
      }),
    )
  }
  const { 'tag.present': present, 'tag.absent': absent } = query
  const named = (tags: readonly string[], name: string) =>
    tags.some(tag => tagParts(tag)[0] === name.toLowerCase())
  if (present !== undefined) tests.push(tags => named(tags, present))
  if (absent !== undefined) tests.push(tags => !named(tags, absent))
  return tests
}

function tagParts(tag: string): readonly [name: string, value: string] {
  const [name, ...value] = tag.toLowerCase().split(':')
  return [name!, value.join(':')]
}
