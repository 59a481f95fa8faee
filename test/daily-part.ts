import type { ExplorationPart } from '../testing/explore/part.js'

/** The part of a long exploration that runs at every change. All of it runs at night, and if the file is named. */
export const dailyPart: ExplorationPart =
  process.env.TEST_ALL === '1' ? { index: 1, of: 1 } : { index: 1, of: 6 }
