/** Where a node of ZooKeeper is: {@code ZooKeeperUri}, read by the coordinator and the fence alike. */
package dev.incumbent.zookeeper;
