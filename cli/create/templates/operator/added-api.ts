import { pluralOf } from '../../../../sdk/operator/kind/define/plural.js'
import { namesOfKind } from '../../kind/names.js'
import type { Api } from '../../kind/parse-api.js'
import { forApi } from './for-api.js'
import { controllerFile, kindFile, samplesFile } from './kind.js'
import { addedTestFile } from './test.js'

/** A kind with a controller in code that is added to a project. */
export interface AddedApi {
  /** The new files, by path. */
  readonly files: Readonly<Record<string, string>>
  readonly controller: { readonly name: string; readonly module: string }
  /** The sample; its default name differs from those of other kinds. */
  readonly sample: (name?: string) => string
}

/**
 * The files of a kind in an existing project. `kinds` is the file of its definition; default one that is named as the
 * kind.
 */
export function addedApi(api: Api, kinds: string | undefined): AddedApi {
  const withApiNames = forApi(api)
  const { singular, file } = namesOfKind({ kind: api.kind, plural: pluralOf(api.kind) })
  const source = kinds ?? `${file}-kind`
  const text = (template: string) => withApiNames(template).replaceAll("'./kinds.js'", `'./${source}.js'`)
  return {
    files: {
      [`src/${source}.ts`]: text(kindFile),
      [`src/${file}-controller.ts`]: text(controllerFile),
      [`src/${file}-controller.test.ts`]: text(addedTestFile),
    },
    controller: { name: `${singular}Controller`, module: `./${file}-controller.js` },
    sample: (name = `${file}-sample`) => text(samplesFile).replace('  name: sample\n', `  name: ${name}\n`),
  }
}
