import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '../../../model/resource.ts'
import { AnswerLostError, type Api } from '../../api.ts'
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
      const what = `${nameOf(step)}: ${(error as Error).message}`
      const state =
        step.action === 'delete'
          ? 'The steps before it are done: run the command again'
          : await run.takeBack()
      throw new Error(`${what}\n${state}`, { cause: error })
    }
  }
}

function nameOf({ kind, label, owner }: Pick<Step, 'kind' | 'label' | 'owner'>): string {
  return `${kind.noun} ${label} of ${owner.name}`
}

function writeOf({ kind, owner, entry, replaced }: Step, body: JsonObject): Write {
  if (entry !== undefined) return kind.change(entry.id, body, entry.document)
  const ids = replaced.map(({ id }) => id)
  return ids.length > 0 ? kind.exchange!.write(ids, [body]) : kind.create(body, owner)
}

class Run {
  readonly #api: Api
  /** Ids of zones that were created, by name. */
  readonly #zones = new Map<string, string>()
  readonly #undo: { readonly what: string; readonly run: () => Promise<unknown> }[] = []
  /** The object of a write without an answer. */
  #unknown: string | undefined

  constructor(api: Api) {
    this.#api = api
  }

  /** @returns the id of the object */
  async write(step: Step, names: Plan['names']): Promise<string> {
    const { kind, owner, source, entry, replaced } = step
    const { document: whole } = names.resolve(owner, source!, entry?.document)
    const unread = (kind.unread ?? []).filter(name => name in whole).map(name => [name, whole[name]!])
    const document = canonical(kind, whole, entry?.document)
    const answer = await this.#send(
      owner,
      writeOf(step, { ...document, ...Object.fromEntries(unread) }),
    ).catch(error => {
      if (error instanceof AnswerLostError) this.#unknown = nameOf(step)
      throw error
    })
    const made = replaced.length > 0 ? kind.exchange!.createdIn(answer)[0]! : answer
    const id = entry?.id ?? String(made[kind.idMember ?? 'id'] ?? document['id'] ?? '')
    if (kind.name === 'zone' && entry === undefined) this.#zones.set(owner.name, id)
    this.#undo.push({ what: nameOf(step), run: () => this.#undoWrite(step, id, document) })
    await this.#fill(owner, kind.fill?.(id, document))
    return id
  }

  async #undoWrite({ kind, owner, entry, replaced }: Step, id: string, document: JsonObject): Promise<void> {
    if (entry !== undefined) {
      await this.#send(owner, kind.change(entry.id, entry.document, document))
      await this.#fill(owner, kind.fill?.(entry.id, entry.document))
    } else if (replaced.length > 0) {
      const former = replaced.map(one => one.document)
      await this.#send(owner, kind.exchange!.write([id], former))
    } else if (kind.name === 'zone') await this.#api.send('DELETE', `/zones/${id}`)
    else if (kind.remove !== undefined) await this.#send(owner, kind.remove(id, document))
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
    const others =
      left.length > 0
        ? `These changes could not be taken back; correct them and run the command again:\n${left.join('\n')}`
        : this.#unknown === undefined
          ? 'Nothing was changed.'
          : 'Nothing else was changed.'
    return this.#unknown === undefined
      ? others
      : `No answer came, so ${this.#unknown} may be written or not: \`sluice config diff\` tells. ${others}`
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
