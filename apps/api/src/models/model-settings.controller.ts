import { type Models, type ModelTest, type TestModel, testModelSchema } from '@citewell/contracts/http';
import { Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import { RequireScope } from '../http/caller.js';
import { JsonBody } from '../http/request-input.js';
import { ModelsService } from './models.service.js';

/** The models of the server. All organizations share them. */
@Controller('models')
export class ModelSettingsController {
  constructor(@Inject(ModelsService) private readonly models: ModelsService) {}

  @Get()
  @RequireScope('admin')
  list(): Models {
    return this.models.list();
  }

  @Post('test')
  @HttpCode(200)
  @RequireScope('admin')
  test(@JsonBody(testModelSchema) body: TestModel): Promise<ModelTest> {
    return this.models.test(body);
  }
}
