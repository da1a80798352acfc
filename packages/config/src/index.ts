export { type ClientConfig, loadClientConfig } from './client-config.js';
export { ConfigError, loadConfig, loadScaledConfig, misspelledVariables, type Config } from './config.js';
export { renderEnvExample } from './env-example.js';
export { findChromium } from './find-chromium.js';
