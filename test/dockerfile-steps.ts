import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Options of {@link runDockerfileSteps}. */
export interface DockerfileStepsOptions {
  /** The folder of the Dockerfile. Its steps run there as in the image after `COPY . .`. */
  cwd: string
  /** The stages to run, in order. */
  stages: readonly string[]
  /** The folder that replaces `/plugin`; must exist. */
  plugin: string
}

/** Runs the `RUN` steps of a Dockerfile's stages without Docker, with the defaults of its arguments. */
export async function runDockerfileSteps({ cwd, stages, plugin }: DockerfileStepsOptions): Promise<void> {
  const dockerfile = readFileSync(join(cwd, 'Dockerfile'), 'utf8')
  const args = Object.fromEntries(
    [...dockerfile.matchAll(/^ARG (\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  )
  for (const stage of stages) {
    const [, steps] = new RegExp(`^FROM \\S+ AS ${stage}$(.*?)^FROM `, 'ms').exec(dockerfile) ?? []
    if (steps === undefined) throw new Error(`the Dockerfile in ${cwd} has no stage ${stage}`)
    for (const [, step = ''] of steps.matchAll(/^RUN (.*)$/gm))
      await promisify(execFile)('sh', ['-c', step.replaceAll('/plugin', plugin)], {
        cwd,
        env: { ...process.env, ...args },
      })
  }
}
