/** Floor 2: the address of a table in DynamoDB, for the coordinator and the fence there. */
module dev.incumbent.dynamodb {
    requires dev.incumbent.wire;

    exports dev.incumbent.dynamodb;
}
