import type { CaseGroup } from '../case.js'
import { createNames } from './create-names.js'
import { deleteCollection } from './delete-collection.js'
import { deleteFinalizers } from './delete-finalizers.js'
import { dryRun } from './dry-run.js'
import { getList } from './get-list.js'
import { paging } from './paging.js'
import { patchJson } from './patch-json.js'
import { patchMerge } from './patch-merge.js'
import { patchStrategic } from './patch-strategic.js'
import { preconditionCases } from './preconditions.js'
import { updateConcurrency } from './update-concurrency.js'
import { watch } from './watch.js'

/** Every group of cases. */
export const groups: readonly CaseGroup[] = [
  getList,
  paging,
  watch,
  createNames,
  updateConcurrency,
  patchJson,
  patchMerge,
  patchStrategic,
  deleteFinalizers,
  deleteCollection,
  preconditionCases,
  dryRun,
]
