import type { CaseGroup } from '../case.js'
import { apply } from './apply.js'
import { createNames } from './create-names.js'
import { defaulting } from './defaulting.js'
import { deleteCollection } from './delete-collection.js'
import { deleteFinalizers } from './delete-finalizers.js'
import { dryRun } from './dry-run.js'
import { getList } from './get-list.js'
import { identity } from './identity.js'
import { immutability } from './immutability.js'
import { managedFields } from './managed-fields.js'
import { namespaceCases } from './namespaces.js'
import { paging } from './paging.js'
import { patchJson } from './patch-json.js'
import { patchMerge } from './patch-merge.js'
import { patchStrategic } from './patch-strategic.js'
import { preconditionCases } from './preconditions.js'
import { rbac } from './rbac.js'
import { selectors } from './selectors.js'
import { subresources } from './subresources.js'
import { updateConcurrency } from './update-concurrency.js'
import { validationKinds } from './validation-kinds.js'
import { validationMetadata } from './validation-metadata.js'
import { watch } from './watch.js'

/** Every group of cases. */
export const groups: readonly CaseGroup[] = [
  getList,
  paging,
  selectors,
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
  subresources,
  namespaceCases,
  validationMetadata,
  validationKinds,
  immutability,
  defaulting,
  managedFields,
  apply,
  identity,
  rbac,
]
