import { createRequire } from 'node:module'

const { resolve } = createRequire(import.meta.url)

/**
 * Imports a package of this folder. Rejects with `ERR_MODULE_NOT_FOUND` if it is not installed.
 * @param {string} name
 * @returns {Promise<unknown>}
 */
export const importTool = (name) => import(name)

/**
 * The path of a file of a package of this folder. Throws `MODULE_NOT_FOUND` if it is not installed.
 * @param {string} file
 */
export const toolPath = (file) => resolve(file)
