import { commonFiles, programPackage } from '../package-files.js'
import { programDockerfile } from '../program-image.js'
import { workflow } from '../workflow.js'
import { controllerFile, kindFile, mainFile, registerFile, samplesFile } from './kind.js'
import { readmeFile } from './readme.js'
import { testFile } from './test.js'

/** The input of the templates of an operator. */
export interface OperatorDesign {
  name: string
  /** The versions of packages, by name; the SDK's may be a path. */
  packages: Readonly<Record<string, string>>
}

/** The files of a new operator, by path. */
export function operatorFiles({ name, packages }: OperatorDesign): Record<string, string> {
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
    ...commonFiles,
    'README.md': readmeFile(name),
    '.github/workflows/ci.yml': workflow([
      ['check that the operator handles its samples', 'npm run dev -- --once'],
    ]),
    Dockerfile: programDockerfile('operator', packages),
    'samples.yaml': samplesFile,
    'src/kinds.ts': kindFile,
    'src/website-controller.ts': controllerFile,
    'src/website-controller.test.ts': testFile,
    'src/register.ts': registerFile,
    'src/main.ts': mainFile(name),
  }
}
