import type { Dataset } from '../model/dataset.ts'
import { datasets } from '../model/datasets/table.ts'
import { type Api, zoneOf } from './context.ts'
import type { ApiDeps } from './deps.ts'
import { success } from './envelope.ts'
import { refusal } from './errors.ts'
import { jobToWire } from './job-wire.ts'

interface DatasetPath {
  Params: { readonly dataset: string }
}

/** What a dataset holds, and which jobs of the zone push it. */
export function datasetRoutes(app: Api, { store }: ApiDeps): void {
  app.get<DatasetPath>('/logpush/datasets/:dataset/fields', async request => {
    const { fields } = findDataset(request.params.dataset)
    return success(
      Object.fromEntries(fields.map(field => [field.name, `${field.type}; ${field.description}`])),
    )
  })

  app.get<DatasetPath>('/logpush/datasets/:dataset/jobs', async request => {
    const { name } = findDataset(request.params.dataset)
    const jobs = await store.jobs.list(zoneOf(request).id)
    return success(jobs.filter(job => job.dataset === name).map(jobToWire))
  })
}

function findDataset(name: string): Dataset {
  const dataset = datasets.get(name)
  if (dataset === undefined) throw refusal('datasetNotFound', { dataset: name.slice(0, 64) })
  return dataset
}
