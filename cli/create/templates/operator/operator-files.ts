import type { Api } from '../../kind/parse-api.js'
import { ciFiles } from '../ci-files.js'
import { commonFiles, programPackage } from '../package-files.js'
import { programDockerfile } from '../program-image.js'
import { forApi } from './for-api.js'
import { controllerFile, kindFile, mainFile, registerFile, samplesFile } from './kind.js'
import { readmeFile } from './readme.js'
import { testFile } from './test.js'

/** The input of the templates of an operator. */
export interface OperatorDesign {
  name: string
  /** The kind that the operator defines. */
  api: Api
  /** The versions of packages, by name; the SDK's may be a path. */
  packages: Readonly<Record<string, string>>
}

/** The files of a new operator, by path. */
export function operatorFiles({ name, api, packages }: OperatorDesign): Record<string, string> {
  const withApiNames = forApi(api)
  return {
    'package.json': programPackage({
      name,
      packages,
      dependencies: ['vcluster-plugin-sdk', 'zod'],
      scripts: {
        crd: 'vcluster-plugin crd .',
        rbac: 'vcluster-plugin rbac .',
        manifest: 'vcluster-plugin manifest .',
        bench: 'vcluster-plugin bench .',
      },
    }),
    ...commonFiles(packages),
    'README.md': readmeFile(name, withApiNames),
    ...ciFiles([['check that the operator handles its samples', 'npm run dev -- --once']]),
    Dockerfile: programDockerfile('operator', packages),
    'samples.yaml': withApiNames(samplesFile),
    'src/kinds.ts': withApiNames(kindFile),
    [withApiNames('src/website-controller.ts')]: withApiNames(controllerFile),
    [withApiNames('src/website-controller.test.ts')]: withApiNames(testFile),
    'src/register.ts': withApiNames(registerFile),
    'src/main.ts': mainFile(name),
  }
}
