import type { Dataset } from '../model/dataset.ts'
import { datasets } from '../model/datasets/table.ts'
import type { Scope } from '../model/resource.ts'
import { type Api, scopeOf } from './context.ts'
import type { ApiDeps } from './deps.ts'
import { success } from './envelope.ts'
import { refusal } from './errors.ts'
import { jobsShownTo } from './job-wire.ts'

interface DatasetPath {
  Params: { readonly dataset: string }
}

/** What a dataset holds, and which jobs of the account or zone push it. */
export function datasetRoutes(app: Api, { store }: ApiDeps): void {
  app.get<DatasetPath>('/logpush/datasets/:dataset/fields', async request => {
    const dataset = findDataset(request.params.dataset, scopeOf(request))
    return success(
      textsOf(
        dataset,
        dataset.fields.map(field => field.name),
      ),
    )
  })

  app.get<DatasetPath>('/logpush/datasets/:dataset/fields/default', async request => {
    const dataset = findDataset(request.params.dataset, scopeOf(request))
    return success(textsOf(dataset, dataset.defaultFields))
  })

  app.get<DatasetPath>('/logpush/datasets/:dataset/jobs', async request => {
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

/** @throws ApiError 404 for unknown datasets, 400 for those of the other level */
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
