import { limit, limits } from '../../kit/limits.ts'

export const dnsLimits = limits('DNS records', {
  recordsPerZoneMax: limit(
    3500,
    'count',
    'DNS records of one zone, and of an imported zone file; one more → 400.',
  ),
  dnsRecordsPerPageDefault: limit(100, 'count', 'Records of a page when `per_page` is not given.'),
  contentCharactersMax: limit(
    4096,
    'characters',
    'Content of a record, and a value of a filter of the list; longer → 400.',
  ),
  commentCharactersMax: limit(500, 'characters', 'Comment of a record; longer → 400.'),
  tagsPerRecordMax: limit(20, 'count', 'Tags of a record; more → 400.'),
  tagCharactersMax: limit(132, 'characters', 'A tag, `name` or `name:value`; longer → 400.'),
  zoneFileBytesMax: limit(1024 * 1024, 'bytes', 'An imported zone file; larger → 413.'),
  entryFieldsMax: limit(1100, 'count', 'Fields of one entry of a zone file; one more → 400.'),
  generatedCharactersMax: limit(
    1024 * 1024,
    'characters',
    'Templates and remarks of `$GENERATE` in a zone file, once for each record; more → 400.',
  ),
  generatedRecordsMax: limit(1000, 'count', 'Records that one `$GENERATE` of a zone file makes; more → 400.'),
})
