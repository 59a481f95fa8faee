/**
 * The YAML parser and writer, loaded when they are first needed: most plugins need neither after their start.
 * Call it early if a later import would be too late, for example under a virtual clock.
 */
export const loadYaml = (): Promise<typeof import('./yaml.js')> => import('./yaml.js')
