<?xml version="1.0" encoding="UTF-8"?>
<!-- The indexes: w is for words, 0 for complete values, s for sorting. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
    xmlns:z="http://indexdata.com/zebra-2.0" xmlns:a="http://alvis.info/enriched/" exclude-result-prefixes="a">
  <xsl:output method="xml" encoding="UTF-8"/>
  <xsl:template match="text()"/>

  <xsl:template match="/">
    <z:record z:id="{*/@id}">
      <xsl:if test="*/@action = 'delete'"><xsl:attribute name="z:type">adelete</xsl:attribute></xsl:if>
      <xsl:apply-templates/>
    </z:record>
  </xsl:template>

  <xsl:template match="a:urls/a:url">
    <z:index name="url:w url:0 any:w"><xsl:value-of select="."/></z:index>
  </xsl:template>

  <xsl:template match="a:canonicalDocument/a:section">
    <z:index name="text:w any:w"><xsl:value-of select="."/></z:index>
  </xsl:template>

  <xsl:template match="a:metaData/a:meta[@name='title']">
    <z:index name="title:w title:s any:w"><xsl:value-of select="."/></z:index>
  </xsl:template>

  <xsl:template match="a:metaData/a:meta[@name='dc:date']">
    <z:index name="date:0 date:s"><xsl:value-of select="substring(., 1, 10)"/></z:index>
  </xsl:template>

  <xsl:template match="a:metaData/a:meta[@name='dc:creator']">
    <z:index name="creator:w any:w"><xsl:value-of select="."/></z:index>
  </xsl:template>

  <xsl:template match="a:metaData/a:meta[@name='dc:description']">
    <z:index name="description:w any:w"><xsl:value-of select="."/></z:index>
  </xsl:template>

  <xsl:template match="a:analysis/a:property[@name='language']">
    <z:index name="language:0"><xsl:value-of select="."/></z:index>
  </xsl:template>

  <xsl:template match="a:analysis/a:topic/a:class">
    <z:index name="topic:w topic:0"><xsl:value-of select="."/></z:index>
  </xsl:template>

  <xsl:template match="a:analysis/a:topic/a:terms">
    <z:index name="term:w"><xsl:value-of select="."/></z:index>
  </xsl:template>

  <!-- the score of the page; digits are sorted as text, so all have as many -->
  <xsl:template match="a:analysis/a:topic[a:class = 'ALL']">
    <z:index name="score:n"><xsl:value-of select="@absoluteScore"/></z:index>
    <z:index name="score:s"><xsl:value-of select="format-number(@absoluteScore, '000000000000000')"/></z:index>
    <xsl:apply-templates/>
  </xsl:template>

  <xsl:template match="a:inlinks/a:link/a:anchorText">
    <z:index name="anchor:w any:w"><xsl:value-of select="."/></z:index>
  </xsl:template>
</xsl:stylesheet>
