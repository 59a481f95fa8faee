/**
 * Adds a kind with a controller in code to the project of an operator. Nothing is written if any of its files exists.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../terminal/usage-error.js'
import { withPackageParts } from '../edits/project-files.js'
import { withRegistration } from '../edits/register-file.js'
import { parseApi } from '../kind/parse-api.js'
import { addedApi } from '../templates/operator/added-api.js'
import { checkNewKind, fileText, withSample, writeAddition } from './addition.js'
import { checkWithoutVCluster } from './check-without-vcluster.js'
import type { CreateArguments, ProjectRequest } from './program-kind.js'

/**
 * Writes the kind, its controller and their tests, adds a sample and what package.json lacks, and registers the
 * controller. Returns what to tell the user. Rejects with `UsageError`, or with `PluginError` `INVALID_WATCHES`,
 * `NO_SDK` or `FOLDER_NOT_EMPTY`.
 */
export async function addCodeApi(
  args: CreateArguments,
  packages: ProjectRequest['packages'],
): Promise<string> {
  checkWithoutVCluster(args)
  const { folder } = args
  if (args.api === undefined)
    throw new UsageError(`${folder} is a program: name the kind to add to it with --api GROUP/VERSION/KIND`)
  const api = parseApi(args.api)
  await checkNewKind(folder, api)
  const kinds = existsSync(join(folder, 'src/kinds.ts')) ? undefined : 'kinds'
  const { files, controller, sample } = addedApi(api, kinds)
  const register = await fileText(join(folder, 'src/register.ts'))
  const newRegister = withRegistration(register, {
    imports: [`import { ${controller.name} } from '${controller.module}'`],
    lines: (operator) => [`${operator}.register(${controller.name})`],
  })
  const samples = await fileText(join(folder, 'samples.yaml'))
  const changed = {
    'package.json': await packageOf(folder, await packages()),
    'samples.yaml': withSample(samples, sample(samples.trim() === '' ? 'sample' : undefined)),
    ...(newRegister !== undefined && { 'src/register.ts': newRegister }),
  }
  await writeAddition(folder, { files, changed })
  const list = [...Object.keys(files), ...Object.keys(changed)].map((path) => `  ${path}`).join('\n')
  const done = `The program has a controller for each ${api.kind}: npm install && npm test`
  return `${list}\n\n${newRegister === undefined ? manualStep(controller) : done}\n`
}

/** The new text of package.json: with zod, and with a script for definitions. */
async function packageOf(folder: string, versions: Readonly<Record<string, string>>): Promise<string> {
  return withPackageParts(await fileText(join(folder, 'package.json')), {
    dependencies: { zod: versions.zod ?? '*' },
    scripts: { crd: 'vcluster-plugin crd .' },
  })
}

/** The step that is left to the user if `register.ts` cannot be edited. */
const manualStep = ({
  name,
  module,
}: {
  name: string
  module: string
}) => `Register the controller in src/register.ts:

  import { ${name} } from '${module}'

  operator.register(${name})`
