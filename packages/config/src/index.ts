export {
  type Config,
  ConfigError,
  loadClientConfig,
  loadConfig,
  loadScaledConfig,
  loadStandaloneConfig,
  misspelledVariables,
  renderEnvExample,
} from './config.js';
export { modelNetworks } from './model-variables.js';
export { namedAddresses, type OutgoingHost, outgoingHosts } from './outgoing-hosts.js';
export { findChromium } from './find-chromium.js';
