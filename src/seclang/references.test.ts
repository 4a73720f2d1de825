import assert from 'node:assert/strict'
import { test } from 'node:test'
import { referencesOf } from './references.ts'

test('includes and lists of a source, each once', () => {
  const rows: readonly { name: string; text: string; includes?: string[]; data?: string[] }[] = [
    { name: 'nothing', text: 'SecRule ARGS "@rx Include" "id:1,msg:\'@pmFromFile x\'"' },
    {
      name: 'includes in any case and quotes',
      text: 'Include a/*.conf\ninclude "b c.conf"\nIncludeOptional d.conf\nInclude a/*.conf',
      includes: ['a/*.conf', 'b c.conf', 'd.conf'],
    },
    {
      name: 'lists of rules and links, short names, several files',
      text: `SecRule ARGS "@pmFromFile a.data b.data" "id:1,chain"
        SecRule REMOTE_ADDR "!@ipMatchF nets.txt"
      SecRule ARGS|\\
!ARGS:x "@pmf ../a.data" "id:2"`,
      data: ['a.data', 'b.data', 'nets.txt', '../a.data'],
    },
    { name: 'comments', text: '# Include a.conf\n#SecRule ARGS "@pmf a" "id:1"' },
    {
      name: 'beside mistakes',
      text: 'SecRul "\nSecRule ARGS\nInclude\nInclude a.conf',
      includes: ['a.conf'],
    },
  ]
  for (const { name, text, includes = [], data = [] } of rows) {
    assert.deepEqual(referencesOf({ name: 'x.conf', text }), { includes, data }, name)
  }
})
