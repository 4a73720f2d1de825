import { Type } from '@fastify/type-provider-typebox'
import type { Dataset } from '../../model/dataset.ts'
import { datasets } from '../../model/datasets/table.ts'
import type { Scope } from '../../model/resource.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, scopeOf } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { refusal } from '../http/errors.ts'
import { text } from '../http/schemas.ts'
import { jobSchema, jobsShownTo } from './job-wire.ts'
import { logpushOperations } from './operation.ts'

/** Also of Logpull. */
export const fieldsSchema = Type.Object(
  {},
  { description: 'Name of a field → its type and meaning', additionalProperties: text },
)

function describedAt(scope: Scope['kind']) {
  const { operation, whose } = logpushOperations(scope)
  return {
    fields: operation('listDatasetFields', `List the fields of a dataset ${whose}`, 'read', {
      result: fieldsSchema,
    }),
    defaultFields: operation(
      'listDefaultFields',
      `List the fields of a dataset ${whose} that jobs deliver by default`,
      'read',
      { result: fieldsSchema },
    ),
    jobs: operation('listDatasetJobs', `List the jobs ${whose} that push a dataset`, 'read', {
      result: Type.Array(jobSchema),
    }),
  }
}

interface DatasetPath {
  Params: { readonly dataset: string }
}

/** The fields of a dataset, and the jobs of the account or zone that push it. */
export function datasetRoutes(app: Api, { store }: ApiDeps, scope: Scope['kind']): void {
  const described = describedAt(scope)

  app.get<DatasetPath>('/logpush/datasets/:dataset/fields', { config: described.fields }, async request => {
    const dataset = findDataset(request.params.dataset, scopeOf(request))
    return success(
      textsOf(
        dataset,
        dataset.fields.map(field => field.name),
      ),
    )
  })

  const defaults = { config: described.defaultFields }
  app.get<DatasetPath>('/logpush/datasets/:dataset/fields/default', defaults, async request => {
    const dataset = findDataset(request.params.dataset, scopeOf(request))
    return success(textsOf(dataset, dataset.defaultFields))
  })

  app.get<DatasetPath>('/logpush/datasets/:dataset/jobs', { config: described.jobs }, async request => {
    const scope = scopeOf(request)
    const { name } = findDataset(request.params.dataset, scope)
    const jobs = await store.jobs.list(scope)
    return success(
      jobsShownTo(
        request,
        jobs.filter(job => job.dataset === name),
      ),
    )
  })
}

/** @throws ApiError 404 for unknown datasets, 400 for datasets of the other level */
function findDataset(name: string, { kind }: Scope): Dataset {
  const dataset = datasets.get(name)
  if (dataset === undefined) throw refusal('datasetNotFound', { dataset: name.slice(0, 64) })
  if (!dataset.scopes.includes(kind))
    throw refusal('datasetElsewhere', { dataset: name, level: dataset.scopes.join(' or ') })
  return dataset
}

function textsOf(dataset: Dataset, names: readonly string[]): Readonly<Record<string, string>> {
  const wanted = new Set(names)
  return Object.fromEntries(
    dataset.fields
      .filter(field => wanted.has(field.name))
      .map(field => [field.name, `${field.type}; ${field.description}`]),
  )
}
