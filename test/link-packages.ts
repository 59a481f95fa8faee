import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './dev-run.js'

/** Links the SDK and the packages that new projects have, in place of `npm install`. */
export async function linkPackages(folder: string): Promise<void> {
  const packages = join(folder, 'node_modules')
  await mkdir(join(packages, '@types'), { recursive: true })
  for (const name of ['zod', 'tsx', 'esbuild', '@types/node'])
    await symlink(join(root, 'node_modules', name), join(packages, name))
  await symlink(root, join(packages, 'vcluster-plugin-sdk'))
}
