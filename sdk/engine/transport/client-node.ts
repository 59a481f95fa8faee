/**
 * The part of `@kubernetes/client-node` that runs here. Import this module with `import()`, and only where a kubeconfig
 * asks for it: the package takes 0.6 s and 70 MB to load, and a project has it only if its kubeconfigs need it.
 */
export { KubeConfig } from '@kubernetes/client-node'
