export function childrenTimeMs(stat?: string): number | undefined
