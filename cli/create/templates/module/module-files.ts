import { ciFiles } from '../ci-files.js'
import { commonFiles, programPackage } from '../package-files.js'
import { programDockerfile } from '../program-image.js'
import { programFile } from './program.js'
import { readmeFile } from './readme.js'
import { mainFile, registerFile } from './register.js'
import { samplesFile } from './samples.js'
import { testFile } from './test.js'

/** The input of the templates of an operator of Modules. */
export interface ModuleDesign {
  name: string
  /** The versions of packages, by name; the SDK's may be a path. */
  packages: Readonly<Record<string, string>>
}

/** The path of the program that is part of the operator, and that it can load. */
const programPath = 'src/web-program.ts'

/** The files of a new operator of Modules, by path. */
export function moduleFiles({ name, packages }: ModuleDesign): Record<string, string> {
  return {
    'package.json': programPackage({
      name,
      packages,
      dependencies: ['vcluster-plugin-sdk', 'zod'],
      programs: [programPath],
      scripts: {
        rbac: 'vcluster-plugin rbac .',
        manifest: 'vcluster-plugin manifest .',
        program: `vcluster-plugin module build ${programPath} --out dist/program --workspace dev`,
      },
    }),
    ...commonFiles(packages),
    'README.md': readmeFile(name),
    ...ciFiles([
      ['check that the operator handles its samples', 'npm run dev -- --once'],
      ['build the program as a file', 'npm run program'],
    ]),
    Dockerfile: programDockerfile('operator', packages),
    'samples.yaml': samplesFile,
    [programPath]: programFile,
    'src/web-program.test.ts': testFile,
    'src/register.ts': registerFile,
    'src/main.ts': mainFile(name),
  }
}
