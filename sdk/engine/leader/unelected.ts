import { concat, NEVER, of } from 'rxjs'
import type { Leadership } from './leadership.js'

/** The leadership of a program that runs once: it leads from its start to its end. */
export const unelected: Leadership = {
  leader$: concat(of(true), NEVER),
  deadline: () => Number.POSITIVE_INFINITY,
  release: async () => {},
}
