/**
 * The part of `@kubernetes/client-node` that runs here. Import this module with `import()`, and only for a kubeconfig
 * that needs it: the package takes 0.6 s and 70 MB to load, and a project installs it only if its kubeconfigs need it.
 */
export { KubeConfig } from '@kubernetes/client-node'
