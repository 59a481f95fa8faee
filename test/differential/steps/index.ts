import type { StepKind } from '../step.js'
import { deletes } from './deletes.js'
import { patches } from './patches.js'
import { reads } from './reads.js'
import { watches } from './watches.js'
import { writes } from './writes.js'

/** All kinds of steps by their names in sequences. */
export const stepKinds: Readonly<Record<string, StepKind>> = {
  ...writes,
  ...patches,
  ...deletes,
  ...reads,
  ...watches,
}
