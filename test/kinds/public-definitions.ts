import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import type { CustomResourceDefinition } from '../../sdk/engine/kube/builtin.js'

/** Why the definitions of other projects cannot be tried; `false` if they can. */
export function missingDefinitions(): string | false {
  const isSet = process.env.REAL_DEFINITIONS !== undefined
  return isSet ? false : 'REAL_DEFINITIONS is not set: export REAL_DEFINITIONS=$(test/definitions/fetch)'
}

/** The definitions of other projects, each once. */
export function publicDefinitions(): CustomResourceDefinition[] {
  const root = process.env.REAL_DEFINITIONS ?? ''
  const folders = readdirSync(root).includes('all') ? [root, join(root, 'all')] : [root]
  const found = new Map<string, CustomResourceDefinition>()
  for (const folder of folders)
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.yaml')))
      for (const definition of definitionsIn(join(folder, file)))
        found.set(definition.metadata.name ?? '', definition)
  return [...found.values()]
}

function definitionsIn(file: string): CustomResourceDefinition[] {
  const objects = parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS())
  return objects.filter((object) => object?.kind === 'CustomResourceDefinition')
}
