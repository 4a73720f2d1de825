import type { Dataset } from '../model/dataset.ts'
import { httpRequests } from '../model/datasets/http-requests.ts'

/** The datasets that jobs can push. */
export const datasets: ReadonlyMap<string, Dataset> = new Map([[httpRequests.name, httpRequests]])
