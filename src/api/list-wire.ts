import type { List, ListItem, ListOperation } from '../model/resource.ts'

/** @param references how many rules name the list */
export function listToWire(list: List, references: number): object {
  return {
    id: list.id,
    name: list.name,
    description: list.description,
    kind: list.kind,
    num_items: list.numItems,
    num_referencing_filters: references,
    created_on: list.createdOn,
    modified_on: list.modifiedOn,
  }
}

export function listItemToWire(item: ListItem): object {
  return { id: item.id, ...item.content, created_on: item.createdOn, modified_on: item.modifiedOn }
}

export function listOperationToWire(operation: ListOperation): object {
  return {
    id: operation.id,
    status: operation.status,
    ...(operation.completedOn === undefined ? {} : { completed: operation.completedOn }),
    ...(operation.error === undefined ? {} : { error: operation.error }),
  }
}
