/** Labels of most objects in the cases about tables. */
export const labels = { app: 'a', tier: 'b' }

/** One expression of each kind, unordered. */
export const expressions = [
  { key: 'b', operator: 'NotIn', values: ['y', 'x'] },
  { key: 'a', operator: 'In', values: ['one'] },
  { key: 'd', operator: 'DoesNotExist' },
  { key: 'c', operator: 'Exists' },
]

/** Two containers. */
export const containers = [
  { name: 'c', image: 'i' },
  { name: 'd', image: 'j:v1' },
]

/** A template of pods that complete. */
export const template = { metadata: { labels }, spec: { containers, restartPolicy: 'Never' } }

/** A template of pods that run. */
export const running = { metadata: { labels }, spec: { containers } }

/** The cells of these containers in tables. */
export const containerCells = { Containers: 'c,d', Images: 'i,j:v1' }

/**
 * A time in the past in the format of the API, relative to the start of the suite. Use hours, so that a slow
 * run does not matter.
 */
export const ago = (seconds: number) =>
  new Date(Date.now() - seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z')
