/**
 * The YAML parser, loaded when it is first needed: most plugins need none. Whoever cannot wait for a module later, because
 * time stands still meanwhile, calls it before.
 */
export const loadYaml = (): Promise<typeof import('yaml')> => import('yaml')
