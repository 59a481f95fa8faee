/**
 * The YAML parser and writer, loaded when they are first needed: most plugins need neither after their start. Whoever
 * cannot wait for a module later, because time stands still meanwhile, calls it before.
 */
export const loadYaml = (): Promise<typeof import('./yaml.js')> => import('./yaml.js')
