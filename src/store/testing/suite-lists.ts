import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../kit/ids.ts'
import type { AuditEntry, JsonObject, List, ListItem } from '../../model/resource.ts'
import { listLimits } from '../limits.ts'
import { asStored, refusal, type StoreUnderTest, zoneIn } from './data.ts'

const time = '2026-01-02T03:04:05.000006Z'
const later = '2026-01-03T00:00:00.000000Z'

function aList(accountId: string, changes: Partial<List> = {}): List {
  const id = newId()
  return {
    id,
    accountId,
    name: `list_${id}`,
    description: '',
    kind: 'ip',
    numItems: 0,
    createdOn: time,
    modifiedOn: time,
    ...changes,
  }
}

function anItem(list: List, content: JsonObject, changes: Partial<ListItem> = {}): ListItem {
  return { id: newId(), listId: list.id, content, createdOn: time, modifiedOn: time, ...changes }
}

/** Lists, their items and the operations on these. */
export function listSuite({ store, another }: StoreUnderTest): void {
  test('lists come back as written, oldest first, and belong to one account', async () => {
    const accountId = await account()
    const first = aList(accountId, { name: 'zz', description: 'NUL \0, lone \ud800' })
    const second = aList(accountId, { name: 'aa', kind: 'redirect' })
    for (const list of [first, second]) await store().lists.insert(list)
    assert.deepEqual(await store().lists.list(accountId), [first, second].map(asStored))
    assert.deepEqual(await store().lists.get(accountId, first.id), asStored(first))
    const other = await account()
    assert.deepEqual(await store().lists.list(other), [])
    assert.equal(await store().lists.get(other, first.id), undefined)
    assert.equal(await store().lists.delete(other, first.id), false)
    await assert.rejects(store().lists.insert(aList(accountId, { name: 'aa' })), refusal('conflict'))
    await store().lists.insert(aList(other, { name: 'aa' }))
  })

  test('name and description change, and nothing else does', async () => {
    const list = await inserted()
    const changed = { ...list, name: 'other_name', description: 'new', modifiedOn: later }
    await store().lists.update(asStored({ ...changed, kind: 'asn', numItems: 7 }))
    assert.deepEqual(await store().lists.get(list.accountId, list.id), { ...changed, revision: 2 })
    await assert.rejects(store().lists.update(asStored(aList(list.accountId))), refusal('stale'))
  })

  test('items are added in order and keep their position when they are added again', async () => {
    const list = await inserted()
    const [a, b] = [anItem(list, { ip: '192.0.2.1' }), anItem(list, { ip: '192.0.2.0/24', comment: 'b' })]
    await store().lists.putItems(list, [a, b], false)
    const again = anItem(list, { ip: '192.0.2.1', comment: 'again' }, { modifiedOn: later })
    const c = anItem(list, { ip: '2001:db8::/32' })
    await store().lists.putItems({ ...list, modifiedOn: later }, [c, again], false)
    const kept = { ...a, content: again.content, modifiedOn: later }
    assert.deepEqual(await store().lists.items(list.id, { limit: 10 }), [kept, b, c])
    assert.deepEqual(await store().lists.contents(list.id), [kept.content, b.content, c.content])
    assert.deepEqual(await store().lists.item(list.id, a.id), kept)
    const counted = await store().lists.get(list.accountId, list.id)
    assert.deepEqual([counted?.numItems, counted?.modifiedOn], [3, later])
  })

  test('a replacement removes all other items, and an empty one removes everything', async () => {
    const list = await inserted()
    const [a, b, c] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map(ip => anItem(list, { ip }))
    await store().lists.putItems(list, [a!, b!], false)
    await store().lists.putItems(list, [c!, { ...a!, id: newId() }], true)
    assert.deepEqual(
      (await store().lists.items(list.id, { limit: 10 })).map(item => item.id),
      [a!.id, c!.id],
    )
    await store().lists.putItems(list, [], true)
    assert.deepEqual(await store().lists.contents(list.id), [])
    assert.equal((await store().lists.get(list.accountId, list.id))?.numItems, 0)
  })

  test('items are distinguished by their subject', async t => {
    const rows: [kind: List['kind'], one: JsonObject, same: JsonObject, other: JsonObject][] = [
      ['ip', { ip: '192.0.2.1' }, { ip: '192.0.2.1', comment: 'c' }, { ip: '192.0.2.1/31' }],
      ['asn', { asn: 64496 }, { asn: 64496, comment: 'c' }, { asn: 64497 }],
      [
        'hostname',
        { hostname: { url_hostname: 'a.example' } },
        { hostname: { url_hostname: 'A.example' } },
        { hostname: { url_hostname: '*.a.example' } },
      ],
      [
        'redirect',
        { redirect: { source_url: 'a.example/x', target_url: 'https://b.example/' } },
        { redirect: { source_url: 'A.example/x', target_url: 'https://c.example/' } },
        { redirect: { source_url: 'a.example/X', target_url: 'https://b.example/' } },
      ],
    ]
    for (const [kind, one, same, other] of rows) {
      await t.test(kind, async () => {
        const list = await inserted({ kind })
        await store().lists.putItems(
          list,
          [one, other, same].map(content => anItem(list, content)),
          false,
        )
        assert.equal((await store().lists.get(list.accountId, list.id))?.numItems, 2)
        assert.deepEqual((await store().lists.contents(list.id))[0], same)
      })
    }
  })

  test('pages follow one another, even when items are removed', async () => {
    const list = await inserted({ kind: 'asn' })
    const items = Array.from({ length: 7 }, (_, asn) => anItem(list, { asn }))
    await store().lists.putItems(list, items, false)
    const first = await store().lists.items(list.id, { limit: 3 })
    const second = await store().lists.items(list.id, { limit: 3, after: first.at(-1)!.id })
    await store().lists.deleteItems(list, [items[0]!.id, items[5]!.id, newId()])
    const third = await store().lists.items(list.id, { limit: 3, after: second.at(-2)!.id })
    assert.deepEqual([...first, ...second], items.slice(0, 6))
    assert.deepEqual(third, [items[6]])
    assert.equal((await store().lists.get(list.accountId, list.id))?.numItems, 5)
  })

  test('the meaning of a search depends on the kind of the list', async t => {
    const rows: [kind: List['kind'], contents: JsonObject[], search: string, found: number[]][] = [
      ['ip', [{ ip: '192.0.2.1' }, { ip: '10.192.0.2' }], '192.0', [0]],
      ['ip', [{ ip: '2001:db8::/32' }], '2001:DB8', [0]],
      ['ip', [{ ip: '192.0.2.1' }], '%', []],
      ['asn', [{ asn: 64496 }, { asn: 644 }], '644', [1]],
      ['hostname', [{ hostname: { url_hostname: 'shop.example' } }], 'op.EX', [0]],
      ['hostname', [{ hostname: { url_hostname: 'shop.example' } }], '_', []],
      ['redirect', [{ redirect: { source_url: 'a/x', target_url: 'https://b/Y' } }], '/y', [0]],
      ['hostname', [{ hostname: { url_hostname: 'a' } }], '\0', []],
      ['hostname', [{ hostname: { url_hostname: 'a' } }], '', [0]],
    ]
    for (const [kind, contents, search, found] of rows) {
      await t.test(`${kind} ${JSON.stringify(search)}`, async () => {
        const list = await inserted({ kind })
        await store().lists.putItems(
          list,
          contents.map(content => anItem(list, content)),
          false,
        )
        const items = await store().lists.items(list.id, { limit: 10, search })
        assert.deepEqual(
          items.map(item => item.content),
          found.map(at => contents[at]),
        )
      })
    }
  })

  test('a deleted list loses its items and gets no new ones', async () => {
    const list = await inserted()
    const item = anItem(list, { ip: '192.0.2.1' })
    await store().lists.putItems(list, [item], false)
    assert.equal(await store().lists.delete(list.accountId, list.id), true)
    assert.equal(await store().lists.delete(list.accountId, list.id), false)
    assert.equal(await store().lists.item(list.id, item.id), undefined)
    await assert.rejects(store().lists.putItems(list, [item], false), refusal('stale'))
    await assert.rejects(store().lists.putItems(list, [], true), refusal('stale'))
    await assert.rejects(store().lists.deleteItems(list, [item.id]), refusal('stale'))
  })

  test('a list has a maximum of items', async t => {
    const { itemsPerListMax } = listLimits
    t.after(() => Object.assign(listLimits, { itemsPerListMax }))
    // More than one statement writes, and fewer than take seconds.
    Object.assign(listLimits, { itemsPerListMax: 2000 })
    const list = await inserted({ kind: 'asn' })
    const items = Array.from({ length: listLimits.itemsPerListMax }, (_, asn) => anItem(list, { asn }))
    await store().lists.putItems(list, items, true)
    const one = anItem(list, { asn: 4_000_000_000 })
    await assert.rejects(store().lists.putItems(list, [one], false), refusal('conflict'))
    assert.equal((await store().lists.get(list.accountId, list.id))?.numItems, items.length)
    assert.equal(await store().lists.item(list.id, one.id), undefined)
  })

  test('changes name the resources that followers must reload', async () => {
    const list = await inserted()
    const start = await store().changes.head()
    await store().lists.putItems(list, [anItem(list, { ip: '192.0.2.1' })], false)
    await store().lists.deleteItems(list, [newId()])
    await store().lists.update(asStored(list))
    await store().lists.delete(list.accountId, list.id)
    const changes = await store().changes.after(start)
    assert.deepEqual(
      changes.map(change => `${change.kind} ${change.id}`),
      [`list ${list.id}`, `list ${list.id}`, `account ${list.accountId}`, `account ${list.accountId}`],
    )
  })

  test('audit entries are written with the change or not at all', async () => {
    const list = aList(await account())
    const entry = (action: string): AuditEntry => ({
      id: newId(),
      accountId: list.accountId,
      at: time,
      actor: { kind: 'token', id: newId(), ip: '127.0.0.1' },
      action,
      resource: { kind: 'list', id: list.id },
      method: 'POST',
      path: '/',
      before: null,
      after: null,
    })
    await store().lists.insert(list, entry('create'))
    await assert.rejects(store().lists.insert(list, entry('refused')))
    await store().lists.putItems(list, [], true, entry('replace'))
    await store().lists.deleteItems(list, [], entry('remove'))
    await store().lists.update(asStored(list), entry('update'))
    await store().lists.delete(list.accountId, list.id, entry('delete'))
    const kept = await store().audit.list(list.accountId, { offset: 0, limit: 10, direction: 'asc' })
    assert.deepEqual(kept.map(({ action }) => action).sort(), [
      'create',
      'delete',
      'remove',
      'replace',
      'update',
    ])
  })

  test('operations are found by their account, and those of a dead process fail', async () => {
    const accountId = await account()
    const open = { id: newId(), accountId, status: 'running' } as const
    const done = { id: newId(), accountId, status: 'completed', completedOn: time } as const
    const second = await another()
    await second.lists.putOperation({ ...done, status: 'pending' })
    await store().lists.putOperation(done)
    await store().lists.putOperation(open)
    const ours = ({ id }: { readonly id: string }) => id === open.id || id === done.id
    assert.deepEqual((await second.lists.openOperations()).filter(ours), [{ id: open.id, beats: 0 }])
    await store().lists.beatOperations([open.id])
    await second.lists.failOperation({ id: open.id, beats: 0 }, 'its process lives', later)
    assert.deepEqual(await store().lists.operation(accountId, open.id), open)
    const [silent] = (await second.lists.openOperations()).filter(ours)
    await second.lists.failOperation(silent!, 'stopped \0', later)
    await second.close()
    assert.deepEqual(await store().lists.operation(accountId, done.id), done)
    assert.deepEqual(await store().lists.operation(accountId, open.id), {
      ...open,
      status: 'failed',
      error: 'stopped \0',
      completedOn: later,
    })
    assert.equal(await store().lists.operation(await account(), open.id), undefined)
  })

  test('operations that ended long ago are deleted', async () => {
    const accountId = await account()
    const old = { id: newId(), accountId, status: 'completed', completedOn: time } as const
    await store().lists.putOperation(old)
    const end = (ms: number) => new Date(Date.parse(time) + listLimits.operationKeptMs + ms)
    for (const [ms, kept] of [
      [0, true],
      [1, false],
    ] as const) {
      const completedOn = `${end(ms).toISOString().slice(0, -1)}006Z`
      await store().lists.putOperation({ id: newId(), accountId, status: 'failed', error: 'e', completedOn })
      assert.equal((await store().lists.operation(accountId, old.id)) !== undefined, kept)
    }
  })

  async function account(): Promise<string> {
    return (await zoneIn(store())).accountId
  }

  async function inserted(changes: Partial<List> = {}): Promise<List> {
    const list = aList(await account(), changes)
    await store().lists.insert(list)
    return list
  }
}
