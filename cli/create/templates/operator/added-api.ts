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
 * The files of a kind in an existing project. `kindsFile` is the file of its definition, without `.ts`; default one
 * that is named as the kind.
 */
export function addedApi(api: Api, kindsFile: string | undefined): AddedApi {
  const withApiNames = forApi(api)
  const { singular, file } = namesOfKind({ kind: api.kind, plural: pluralOf(api.kind) })
  const kindFileName = kindsFile ?? `${file}-kind`
  const fill = (template: string) =>
    withApiNames(template).replaceAll("'./kinds.js'", `'./${kindFileName}.js'`)
  return {
    files: {
      [`src/${kindFileName}.ts`]: fill(kindFile),
      [`src/${file}-controller.ts`]: fill(controllerFile),
      [`src/${file}-controller.test.ts`]: fill(addedTestFile),
    },
    controller: { name: `${singular}Controller`, module: `./${file}-controller.js` },
    sample: (name = `${file}-sample`) => fill(samplesFile).replace('  name: sample\n', `  name: ${name}\n`),
  }
}
