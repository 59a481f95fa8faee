/** From the virtual cluster to the host, from the host to the virtual cluster, or both ways. */
export const directions = ['down', 'up', 'both'] as const

/** The direction in which a plugin copies objects. */
export type Direction = (typeof directions)[number]
