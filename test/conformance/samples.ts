/** Labels that most objects of the cases about tables have. */
export const labels = { app: 'a', tier: 'b' }

/** One of each kind of expression, in no order. */
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

/** A template of pods that end. */
export const template = { metadata: { labels }, spec: { containers, restartPolicy: 'Never' } }

/** A template of pods that run. */
export const running = { metadata: { labels }, spec: { containers } }

/** What tables say of the containers. */
export const CONTAINER_CELLS = { Containers: 'c,d', Images: 'i,j:v1' }

/** A time in the past, as the API writes it: of when the suite is loaded, so say hours, which a slow run does not change. */
export const ago = (seconds: number) =>
  new Date(Date.now() - seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z')
