import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '../../../model/resource.ts'
import type { Api } from '../../api.ts'
import { canonical, type Owner, type Write } from './kind.ts'
import type { Plan, Step } from './plan.ts'

/**
 * Makes the API as the files are. When it refuses a creation or a change, those before are taken back. Deletions come
 * last.
 * @throws Error with the refusal and the state that it leaves
 */
export async function applyPlan(api: Api, { steps, names }: Plan): Promise<void> {
  const run = new Run(api)
  for (const step of steps) {
    try {
      if (step.action === 'delete') await run.delete(step)
      else {
        const id = await run.write(step, names)
        names.set(step.owner, step.kind, step.reference!, id)
      }
    } catch (error) {
      const what = `${step.kind.noun} ${step.label} of ${step.owner.name}: ${(error as Error).message}`
      const state =
        step.action === 'delete'
          ? 'The steps before it are done: run the command again'
          : await run.takeBack()
      throw new Error(`${what}\n${state}`, { cause: error })
    }
  }
}

class Run {
  readonly #api: Api
  /** Ids of zones that were created, by name. */
  readonly #zones = new Map<string, string>()
  readonly #undo: { readonly what: string; readonly run: () => Promise<unknown> }[] = []

  constructor(api: Api) {
    this.#api = api
  }

  /** @returns the id of the object */
  async write({ kind, owner, source, entry, label }: Step, names: Plan['names']): Promise<string> {
    const { document: whole } = names.resolve(owner, source!, entry?.document)
    const unread = (kind.unread ?? []).filter(name => name in whole).map(name => [name, whole[name]!])
    const document = canonical(kind, whole, entry?.document)
    const body = { ...document, ...Object.fromEntries(unread) }
    const write = entry === undefined ? kind.create(body, owner) : kind.change(entry.id, body)
    const answer = await this.#send(owner, write)
    const id = entry?.id ?? String(answer[kind.idMember ?? 'id'] ?? document['id'] ?? '')
    if (kind.name === 'zone' && entry === undefined) this.#zones.set(owner.name, id)
    this.#undo.push({
      what: `${kind.noun} ${label} of ${owner.name}`,
      run: async () => {
        if (entry !== undefined) {
          await this.#send(owner, kind.change(entry.id, entry.document))
          await this.#fill(owner, kind.fill?.(entry.id, entry.document))
        } else if (kind.name === 'zone') await this.#api.send('DELETE', `/zones/${id}`)
        else if (kind.remove !== undefined) await this.#send(owner, kind.remove(id, document))
      },
    })
    await this.#fill(owner, kind.fill?.(id, document))
    return id
  }

  async delete({ kind, owner, entry }: Step): Promise<void> {
    const write = kind.remove!(entry!.id, entry!.document)
    await this.#send(owner, write)
  }

  /** Takes back what was written, the newest first. @returns a sentence about the state */
  async takeBack(): Promise<string> {
    const left: string[] = []
    for (const { what, run } of this.#undo.toReversed())
      await run().catch(error => left.push(`${what}: ${(error as Error).message}`))
    return left.length === 0
      ? 'Nothing was changed.'
      : `These changes could not be taken back; correct them and run the command again:\n${left.join('\n')}`
  }

  #send(owner: Owner, { method, path, body }: Write): Promise<JsonObject> {
    const id = owner.id ?? this.#zones.get(owner.name)
    const whole = path.startsWith('/') ? path : `/${owner.scope}s/${id}/${path}`.replace(/\/$/, '')
    return this.#api.send(method, whole, body)
  }

  /** Sends a write and waits until its operation has ended. */
  async #fill(owner: Owner, write: Write | undefined): Promise<void> {
    if (write === undefined) return
    const { operation_id: id } = await this.#send(owner, write)
    const path = `/accounts/${owner.accountId}/rules/lists/bulk_operations/${id}`
    for (;;) {
      const { status, error } = await this.#api.get(path)
      if (status === 'completed') return
      if (status === 'failed') throw new Error(`the items were not stored: ${error}`)
      await sleep(pollMs)
    }
  }
}

const pollMs = 100
