import type { CaseGroup } from '../case.js'
import { createNames } from './create-names.js'
import { getList } from './get-list.js'
import { paging } from './paging.js'
import { watch } from './watch.js'

/** Every group of cases. */
export const groups: readonly CaseGroup[] = [getList, paging, watch, createNames]
