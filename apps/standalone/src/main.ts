import { superviseService } from './supervise-service.js';

superviseService(new URL('./service.main.js', import.meta.url));
